# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""What a launch line is going to do, without running it."""

import re
import shlex

import gi
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst  # noqa: E402  (needs the version above)

from . import OrchError  # noqa: E402
from .parsing import parse  # noqa: E402

try:
    gi.require_version('GstOrch', '1.0')
    from gi.repository import GstOrch
except (ImportError, ValueError) as missing:
    raise OrchError('plan needs the introspection data of gst-orch; '
                    'build it with -Dintrospection=enabled') from missing

LAUNCH = 'gst-launch-1.0'
NOT_LINKED = re.compile(r'could not link (\S+) to (\S+)')
FORMATS = {
    'text': GstOrch.Plan.to_text,
    'json': GstOrch.Plan.to_json,
    'dot': GstOrch.Plan.to_dot,
}


def _parse_line(line):
    """As gst_parse_launch() takes it, or with the quotes of a shell."""
    try:
        return parse(Gst.parse_launch, line)
    except GLib.Error as error:
        if not error.matches(Gst.ParseError.quark(), Gst.ParseError.SYNTAX):
            raise
        try:
            return parse(Gst.parse_launchv, shlex.split(line))
        except (GLib.Error, ValueError):
            raise error from None


def _parse(words):
    """One word is a line; several, or a whole command, have been through a
    shell."""
    if len(words) == 1 and not words[0].lstrip().startswith(LAUNCH):
        return _parse_line(words[0])
    if len(words) == 1:
        words = shlex.split(words[0])
    if words[0] == LAUNCH:
        words = [word for word in words[1:] if not word.startswith('-')]
    return parse(Gst.parse_launchv, words)


def _caps(name, direction):
    """What the pads of an element of that (default) name may carry; '' when it
    cannot be told."""
    factory = Gst.ElementFactory.find(re.sub(r'\d+\Z', '', name))
    templates = factory.get_static_pad_templates() if factory else []
    return '; '.join(template.get_caps().to_string() for template in templates
                     if template.direction == direction)


def _explain(message):
    """The parser says that two elements do not fit, but not why."""
    match = NOT_LINKED.match(message)
    if not match:
        return message
    gives = _caps(match.group(1), Gst.PadDirection.SRC)
    takes = _caps(match.group(2), Gst.PadDirection.SINK)
    if not gives or not takes:
        return message
    return f'{message}: the one gives {gives}, the other takes {takes}'


def make(words):
    """The plan of a launch line; nothing is started."""
    Gst.init(None)
    try:
        element = _parse(words)
    except (GLib.Error, ValueError) as error:
        raise OrchError(_explain(getattr(error, 'message', str(error)))) \
            from error
    if not isinstance(element, Gst.Bin):
        pipeline = Gst.Pipeline.new(None)
        pipeline.add(element)
        element = pipeline
    return GstOrch.Plan.new(element)
