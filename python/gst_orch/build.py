# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""A Wiring as elements of GStreamer."""

from __future__ import annotations

import json
import sys

from . import udf
from .errors import ExecutionError
from .gst import GObject, Gst


def build(program):
    """A GstPipeline, in NULL. Raises CompileError, ExecutionError."""
    pipeline = Gst.Pipeline.new(None)
    for element in program.wiring.elements:
        pipeline.add(_make(element, program))
    inlets = {inlet: _get_pad(pipeline, inlet) for _, inlet in program.wiring.links}
    for place, properties in program.wiring.pads.items():
        for name, value in properties.items():
            inlets[place].set_property(name, value)
    # Some src pads are there only when sink pads have been requested.
    for outlet, inlet in program.wiring.links:
        result = _get_pad(pipeline, outlet).link(inlets[inlet])
        if result != Gst.PadLinkReturn.OK:
            raise ExecutionError(f'{".".join(outlet)} cannot be linked to {".".join(inlet)}: '
                                 f"{result.value_nick}")
    return pipeline


def _get_pad(pipeline, place):
    element = pipeline.get_by_name(place[0])
    pad = element.get_static_pad(place[1]) or element.request_pad_simple(place[1])
    if pad is None:
        raise ExecutionError(f"{place[0]} has no pad {place[1]}")
    return pad


def _make(element, program):
    if element.call is None:
        made = _make_element(element.factory, element.name)
    elif isinstance(program.graph.calls[element.call].module.udf, str):
        made = _make_function(element, program)
    else:
        made = _make_udf(element, program)
    for name, value in element.properties.items():
        set_property(made, name, value)
    return made


def _make_element(factory, name):
    made = Gst.ElementFactory.make(factory, name)
    if made is None:
        raise ExecutionError(f"there is no element {factory}: its plugin is not installed, or "
                             "not on GST_PLUGIN_PATH")
    return made


def _make_function(element, program):
    """A Function of a plugin."""
    module = program.graph.calls[element.call].module
    made = _make_element("orchcall", element.name)
    made.set_property("function", module.udf)
    function = made.get_child_by_name("function")
    if function is None:
        raise ExecutionError(f"there is no Function {module.udf}")
    for name, value in module.properties.items():
        set_property(function, name.replace("_", "-"), value)
    for name, value in program.options[element.call].element.items():
        set_property(made, name, value)
    return made


def _make_udf(element, program):
    call, options = program.graph.calls[element.call], program.options[element.call]
    made = _make_element("orchpython", element.name)
    settings = {
        "module": udf.__name__,
        "class": udf.Udf.__name__,
        "init-args": json.dumps([udf.pack(call, program.graph, options)]),
        "python": options.python or sys.executable,
        "outputs": len(call.outputs),
        "recovery": "abort",
        **options.element,
    }
    for name, value in settings.items():
        set_property(made, name, value)
    return made


def set_property(target, name, value):
    """Enums by their nicks, too."""
    found = target.find_property(name)
    if found is None:
        raise ExecutionError(f"{type(target).__name__} has no property {name}")
    if isinstance(value, str) and found.value_type != GObject.TYPE_STRING:
        Gst.util_set_object_arg(target, name, value)
    else:
        target.set_property(name, value)
