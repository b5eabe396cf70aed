# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Programs that run under gst_orch and RayOrch alike, each with rows.

ORCH_FRONT_END names the package. Which batches there are is left to chance, so no UDF
here depends on them.
"""

import collections
import importlib
import os

ro = importlib.import_module(os.environ.get('ORCH_FRONT_END', 'gst_orch'))
F = ro.F

PROGRAMS = {}


def program(*columns, **options):
    """Registers a Pipeline with its rows."""
    def register(make):
        PROGRAMS[make.__name__] = (make, columns, options)
        return make
    return register


# ---- UDFs ----

class AddOne:
    def run(self, values):
        return [value + 1 for value in values]


class Count:
    """A list of as many as the value says."""

    def run(self, values):
        return [[f'{name}{i}' for i in range(n)] for name, n in values]


class CountTwice:
    """Two lists of one length, and one that says which children are to stay."""

    def run(self, values):
        return ([[f'{name}{i}' for i in range(n)] for name, n in values],
                [[{'child': i, 'of': n} for i in range(n)] for _, n in values],
                [[i % 3 != 1 for i in range(n)] for _, n in values])


class Upper:
    def run(self, texts):
        return [text.upper() for text in texts]


class Join:
    def run(self, groups):
        return ['+'.join(group) for group in groups]


class Pair:
    def run(self, left, right):
        return [(a, b) for a, b in zip(left, right)]


class Tag:
    """With an argument of its class, of its Call and of the unit."""

    def __init__(self, prefix, *, suffix=''):
        self.prefix = prefix
        self.suffix = suffix

    def run(self, values, *, stage, also):
        return [f'{self.prefix}:{stage}:{value}:{other}{self.suffix}'
                for value, other in zip(values, also)]


class FailSome:
    """Values that contain the word have failed."""

    def __init__(self, word, failure='record'):
        self.word = word
        self.failure = ro.GroupFailure if failure == 'group' else ro.RecordFailure

    def run(self, values):
        return [self.failure(f'{value} has {self.word}') if self.word in str(value) else value
                for value in values]


class FailOneOutput:
    """The second output of odd values is a failure, and the third of all above 3."""

    def run(self, values):
        return (list(values),
                [ro.RecordFailure('odd') if value % 2 else value for value in values],
                [ro.GroupFailure('large') if value > 3 else value for value in values])


class Raise:
    def __init__(self, word):
        self.word = word

    def run(self, values):
        if any(self.word in str(value) for value in values):
            raise ValueError(f'a value has {self.word}')
        return list(values)


class IsLong:
    def run(self, values):
        return [len(value) > 2 for value in values]


class IsEven:
    def run(self, values):
        return [int(value[1:]) % 2 == 0 for value in values]


class AllIsThere:
    def run(self, groups):
        return [[None, (), [], {}, group][min(len(group), 4)] for group in groups]


class Short:
    def run(self, values):
        return list(values)[1:]


class NoList:
    def run(self, values):
        return {value: 1 for value in values}


class Uneven:
    def run(self, values):
        return ([[1, 2, 3]] * len(values), [[1, 2]] * len(values))


class WordsAreMasks:
    def run(self, values):
        return ['yes' for _ in values]


class Squares:
    """Arrays, and what is made of them."""

    def run(self, values):
        import numpy
        return [numpy.arange(value * value, dtype='i4').reshape(value, value)
                for value in values]


class Sum:
    def run(self, arrays):
        return [int(array.sum()) for array in arrays]


Point = collections.namedtuple('Point', 'x y')


class Points:
    def run(self, values):
        return [Point(value, {value, -value}) for value in values]


def double(values):
    return [value * 2 for value in values]


tripled = ro.function(lambda values: [value * 3 for value in values])


def module(udf, *args, batch_size=4, replicas=1, outputs=1, recovery=None, **kwargs):
    made = ro.RayModule(udf, num_outputs=outputs).pre_init(*args, **kwargs)
    made.ray_options(batch_size=batch_size, replicas=replicas, num_cpus=0)
    return made.ray_options(recovery=recovery) if recovery else made


def pipeline(forward):
    """A Pipeline of a forward() that finds its Modules itself."""
    class Made(ro.Pipeline):
        pass
    Made.forward = staticmethod(forward)
    return Made()


# ---- no failure ----

@program([1, 2, 3], input_batch_size=2, max_active_input_batches=2)
def add_two():
    class MyPipeline(ro.Pipeline):
        def __init__(self):
            self.first = ro.RayModule(AddOne).ray_options(replicas=2, batch_size=8)
            self.second = ro.RayModule(AddOne).ray_options(replicas=1, batch_size=8)

        def forward(self, values):
            return self.second(self.first(values))
    return MyPipeline()


@program([])
def no_rows():
    return pipeline(lambda values: module(AddOne)(values))


@program([('a', 2), ('b', 0), ('c', 3)])
def fan_out_and_reduce():
    return pipeline(lambda documents: module(Join)(F.reduce(module(Upper)(
        F.expand(module(Count)(documents))))))


@program(['p', 'q'], ['x', 'y'])
def one_module_twice():
    model = module(Tag, 'model', suffix='!', replicas=1)
    return pipeline(lambda pages, others: model(
        model(pages, stage='layout', also=others), also=others, stage='recognize'))


@program([1, 2], [10, 20])
def nested_outputs():
    def forward(a, b):
        one = module(AddOne)(a)
        return one, (b, (one, a)), module(double)(b)
    return pipeline(forward)


@program([('a', 2), ('b', 3), ('c', 0)])
def children_are_returned():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        return module(Upper)(pages), documents
    return pipeline(forward)


@program([('a', 4), ('b', 0), ('c', 5), ('d', 1)])
def aligned_with_members():
    def forward(documents):
        names, facts, keep = F.expand_aligned(*module(CountTwice, outputs=3)(documents))
        kept = F.filter(names, keep)
        return (F.reduce_aligned(names, facts, members=kept), F.reduce(kept), facts,
                F.reduce_aligned(kept, kept))
    return pipeline(forward)


@program([('a', 2), ('b', 3)], ['left', 'right'])
def broadcast():
    def forward(documents, sides):
        pages = F.expand(module(Count)(documents))
        beside = F.broadcast(sides, like=pages)
        return module(Pair)(pages, beside), beside, F.reduce(beside)
    return pipeline(forward)


@program([('a', 2), ('b', 1)])
def broadcast_over_levels():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        parts = F.expand(module(SplitPage)(pages))
        above = F.broadcast(documents, like=parts)
        return (F.reduce(F.reduce(module(Pair)(parts, above))),
                module(Pair)(F.broadcast(pages, like=parts), above))
    return pipeline(forward)


class SplitPage:
    def run(self, pages):
        return [[f'{page}.{i}' for i in range(int(page[1:]) + 1)] for page in pages]


@program([('a', 3), ('b', 0), ('c', 2)])
def nested_levels():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        parts = F.expand(module(SplitPage)(pages))
        assembled = module(Pair)(F.reduce(module(Upper)(parts)), pages)
        return F.reduce(assembled), F.reduce(F.reduce(parts))
    return pipeline(forward)


@program([('a', 3), ('b', 2)])
def sibling_domains():
    def forward(videos):
        frames = module(Join)(F.reduce(module(Upper)(F.expand(module(Count)(videos)))))
        chunks = module(Join)(F.reduce(F.expand(module(Count)(videos))))
        return module(Pair)(frames, chunks)
    return pipeline(forward)


@program([('a', 2), ('b', 1)])
def a_group_is_a_value_too():
    def forward(documents):
        groups = module(Count)(documents)
        return F.reduce(F.expand(groups)), groups, module(Join)(groups)
    return pipeline(forward)


@program(['ab', 'abc', 'abcd'])
def filter_rows():
    def forward(words):
        long = module(IsLong)(words)
        return F.filter(words, long), long, module(Upper)(F.filter(words, long))
    return pipeline(forward)


@program([1, 2, 3], [True, False, True])
def filter_by_source():
    return pipeline(lambda values, mask: module(AddOne)(F.filter(values, mask)))


@program([('a', 3), ('b', 1)], [True, False])
def filter_by_broadcast():
    def forward(documents, keep):
        pages = F.expand(module(Count)(documents))
        return F.reduce(F.filter(pages, F.broadcast(keep, like=pages)))
    return pipeline(forward)


@program([('a', 0), ('b', 1), ('c', 2), ('d', 3), ('e', 5)])
def values_that_look_like_nothing():
    return pipeline(lambda documents: module(AllIsThere)(
        F.reduce(F.expand(module(Count)(documents)))))


@program([1, 2, 3])
def functions():
    return pipeline(lambda values: tripled(ro.RayModule(double)(values)))


@program([None, 1.5, float('inf'), 'é\ud800', b'bytes', (1, [2]), {1: 'one'}, {'a': [None, True]},
          2 ** 100, {1, 2}, '', [], -0.0, range(3), Point(1, (2,))])
def values_as_they_are():
    return pipeline(lambda values: (ro.RayModule(same)(values), values))


def same(values):
    return list(values)


@program([1, 2, 3])
def objects():
    return pipeline(lambda values: module(Points)(values))


@program([1, 2, 3])
def arrays():
    def forward(values):
        squares = module(Squares)(values)
        return module(Sum)(squares), squares
    return pipeline(forward)


@program([2, 3])
def one_port_twice():
    return pipeline(lambda values: module(Pair)(values, right=values))


# ---- failures ----

@program([('a', 3), ('b', 3), ('c', 1)])
def record_failure():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        checked = module(FailSome, 'b1')(pages)
        return module(Join)(F.reduce(checked)), module(Upper)(checked), F.reduce(pages)
    return pipeline(forward)


@program([('a', 3), ('b', 3)])
def failures_that_are_no_members():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        checked = module(FailSome, 'b1')(pages)
        return (F.reduce(checked, members=pages), F.reduce(pages, members=checked),
                F.reduce_aligned(pages, checked))
    return pipeline(forward)


@program([('a', 3), ('b', 1)])
def dropped_values_of_members():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        even = F.filter(pages, module(IsEven)(pages))
        return (F.reduce(even, members=pages), F.reduce(pages, members=even),
                F.reduce_aligned(pages, even))
    return pipeline(forward)


@program(['good', 'bad', 'fine'])
def group_failure_of_a_row():
    return pipeline(lambda values: module(FailSome, 'bad', 'group')(values))


@program([('a', 1), ('b', 1)])
def group_failure_of_an_only_child():
    def forward(documents):
        pages = F.expand(module(Count)(documents))
        checked = module(FailSome, 'b0', 'group')(pages)
        return checked, F.reduce(checked), F.reduce(pages)
    return pipeline(forward)


@program([('a', 4), ('b', 4)])
def group_failure_of_a_batch():
    def forward(documents):
        pages = F.expand(module(Count, batch_size=1)(documents))
        return F.reduce(module(FailSome, 'b2', 'group')(pages))
    return pipeline(forward)


@program([1, 2, 3, 4, 5])
def failures_of_several_outputs():
    return pipeline(lambda values: module(FailOneOutput, outputs=3)(values))


@program([('a', 2), ('bad', 2), ('c', 1)])
def a_parent_that_failed():
    def forward(documents):
        checked = module(FailSome, 'bad')(documents)
        pages = F.expand(module(Count)(checked))
        return pages, F.reduce(pages), F.broadcast(checked, like=pages)
    return pipeline(forward)


@program([('a', 2), ('bad', 2)], ['x', 'y'])
def a_broadcast_that_failed():
    def forward(documents, sides):
        pages = F.expand(module(Count)(documents))
        failed = F.broadcast(module(FailSome, 'y')(sides), like=pages)
        return module(Pair)(pages, failed), failed
    return pipeline(forward)


@program(['ab', 'abc', 'abbc'])
def a_mask_that_failed():
    def forward(words):
        long = module(IsLong)(module(FailSome, 'bb')(words))
        return F.filter(words, long), F.filter(F.filter(words, long), long)
    return pipeline(forward)


@program(['a', 'b', 'bad', 'd', 'e', 'f', 'g'])
def isolate():
    return pipeline(lambda values: module(
        Raise, 'bad', recovery=ro.RecoveryPolicy.isolate_tail())(values))


# ---- what ends a run ----

@program(['a', 'bad'])
def abort():
    return pipeline(lambda values: module(Raise, 'bad')(values))


@program(['a', 'bad'])
def retries_in_vain():
    return pipeline(lambda values: module(
        Raise, 'bad', recovery=ro.RecoveryPolicy.retry_batch(max_retries=2))(values))


@program(['a', 'bad'])
def retries_at_the_tail_in_vain():
    return pipeline(lambda values: module(
        Raise, 'bad', recovery=ro.RecoveryPolicy.retry_tail())(values))


@program([1, 2])
def too_few_values():
    return pipeline(lambda values: module(Short)(values))


@program([1, 2])
def no_list():
    return pipeline(lambda values: module(
        NoList, recovery=ro.RecoveryPolicy.isolate_tail())(values))


@program([1, 2])
def not_as_many_outputs():
    return pipeline(lambda values: module(Squares, outputs=2)(values))


@program(['a', 'b'])
def masks_are_booleans():
    return pipeline(lambda values: F.filter(values, module(WordsAreMasks)(values)))


@program([1, 0])
def masks_of_rows_are_booleans():
    return pipeline(lambda values: F.filter(values, values))


@program([1, 2])
def opened_without_being_a_list():
    return pipeline(lambda values: F.expand(module(AddOne)(values)))


@program([1])
def lists_of_different_lengths():
    return pipeline(lambda values: F.expand_aligned(*module(Uneven, outputs=2)(values)))


# ---- how results are written down ----

def describe(value):
    """Anything as text that is the same under both."""
    if isinstance(value, ro.OutputIssue):
        # Ours has a traceback behind it, RayOrch's the name of the module ahead.
        cause = str(value.cause).partition('\n')[0].replace('builtins.', '')
        return f'<{value.outcome.name} {cause}>'
    if type(value) in (list, tuple):
        parts = ', '.join(describe(part) for part in value)
        return f'[{parts}]' if type(value) is list else f'({parts})'
    if type(value).__name__ == 'ndarray':
        return f'array({value.tolist()}, {value.dtype})'
    return ascii(value)


def run(name):
    """The outputs of a program, or that it had none."""
    make, columns, options = PROGRAMS[name]
    try:
        return describe(make().run(*columns, **options).outputs)
    except ro.CompileError:
        return 'CompileError'
    except RuntimeError:
        return 'RuntimeError'
