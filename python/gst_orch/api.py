# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""How a dataflow is written down: Modules, put together in a Pipeline's forward()."""

from __future__ import annotations


class Module:
    """One way of using a UDF, or a Function of gst-orch, in a dataflow.

    ``udf`` is a class with a method ``run``, which gets a list of values for each
    input and returns a list of as many; a function or an object that does the
    same; or the name of a Function ("pdf-text"), whose ``properties`` can be given.
    Called in ``Pipeline.forward``, it makes a Call. Each Call has workers of its own.
    """

    def __init__(self, udf, *, num_outputs=1, **properties):
        if num_outputs <= 0:
            raise ValueError("num_outputs must be 1 or more")
        if properties and not isinstance(udf, str):
            raise TypeError("only Functions, which are named by a str, have properties; "
                            "give arguments of a class with pre_init()")
        self.udf = udf
        self.num_outputs = int(num_outputs)
        self.properties = properties
        self.init_args = ()
        self.init_kwargs = {}
        self.options = {}

    def returns(self, count):
        """Says how many outputs a Call has: as many lists as ``run`` returns."""
        if count <= 0:
            raise ValueError("a Call has 1 output or more")
        self.num_outputs = int(count)
        return self

    def pre_init(self, *args, **kwargs):
        """Says what the class is made with, in each worker."""
        self.init_args = args
        self.init_kwargs = kwargs
        return self

    def configure(self, **options):
        """Says how Calls are run: ``replicas``, ``batch_size``, ``recovery``, ``python``
        and the others of options.py."""
        if "num_outputs" in options:
            raise ValueError("the number of outputs is said with returns()")
        self.options.update(options)
        return self

    ray_options = configure

    def __call__(self, *args, **kwargs):
        from .trace import active_trace
        return active_trace("a Module").call(self, args, kwargs)


RayModule = Module


def function(fn=None, *, num_outputs=1):
    """Makes a Module of a function; as a decorator, too."""
    def wrap(target):
        return Module(target, num_outputs=num_outputs)
    return wrap if fn is None else wrap(fn)


class Pipeline:
    """A dataflow: a subclass says in ``forward`` what is made of what."""

    def forward(self, *args):
        """Gets a Port for each source, and returns a Port or a tuple of them.

        It is called once, before there are any values.
        """
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    def run(self, *source_columns, input_batch_size=None, max_active_input_batches=1,
            address=None, ray_init_kwargs=None):
        """Runs it over rows, one value of each column, with workers that are
        started for it and end with it. An Executor keeps them."""
        from .executor import run
        return run(self, *source_columns, input_batch_size=input_batch_size,
                   max_active_input_batches=max_active_input_batches,
                   address=address, ray_init_kwargs=ray_init_kwargs)

    def compile(self, *, optimize=True):
        """Reads ``forward`` and checks it; nothing is started.

        ``optimize`` is accepted for RayOrch's sake: there is one way to build it.
        """
        from .program import compile_pipeline
        return compile_pipeline(self)
