# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Pipelines by chance, and what the rules of docs/semantics.md say of them.

What comes of a unit depends on its values alone. The same steps are said to gst_orch, by
Build, and to Oracle, which does one after the other.
"""

import hashlib
import importlib
import os
import random

ro = importlib.import_module(os.environ.get('ORCH_FRONT_END', 'gst_orch'))
F = ro.F
GONE = ('failed', 'suppressed')


def draw(seed, *values):
    """A number below 100."""
    text = repr((seed, values)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:4], 'little') % 100


# ---- UDFs: each has what is to be done for one unit ----

class Mix:
    """Text of its inputs, or a failure."""

    def __init__(self, seed, failures):
        self.seed = seed
        self.failures = failures

    def one(self, *values):
        if draw(self.seed, *values) < self.failures:
            return ro.RecordFailure(f'{self.seed} fails')
        return f'{self.seed}({draw(self.seed, "of", *values)})'

    def run(self, *columns):
        return [self.one(*values) for values in zip(*columns)]


class Split(Mix):
    """Up to three children, for two outputs alike."""

    def one(self, *values):
        mixed = super().one(*values)
        if not isinstance(mixed, str):
            return mixed, mixed
        n = draw(self.seed, 'n', *values) % 4
        return ([f'{mixed}.{i}' for i in range(n)], [(i, mixed) for i in range(n)])

    def run(self, *columns):
        rows = [self.one(*values) for values in zip(*columns)]
        return [row[0] for row in rows], [row[1] for row in rows]


class Ask(Mix):
    """True or False."""

    def one(self, *values):
        mixed = super().one(*values)
        return draw(self.seed, 'ask', *values) < 60 if isinstance(mixed, str) else mixed


# ---- steps ----

class Program:
    """Steps: (what is done, numbers of its Ports, a number of its own). Of each Port, its
    Domain and how deep its lists are are kept while steps are chosen."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        self.ports = [0, 0]           # Domains
        self.masks = set()
        self.parents = {0: None}
        self.split()
        self.mask()
        for _ in range(self.random.randrange(5, 12)):
            self.random.choice((self.call, self.split, self.mask, self.filter, self.filter,
                                self.filter, self.reduce, self.reduce, self.broadcast))()
        self.outputs = list(range(2, len(self.ports))) or [0]

    def add(self, step, inputs, domains):
        self.steps.append((step, tuple(inputs), len(self.steps)))
        self.ports += domains

    def some(self, domain=None):
        """Some Ports of one Domain."""
        if domain is None:
            domain = self.ports[self.random.randrange(len(self.ports))]
        all_of = [port for port, of in enumerate(self.ports) if of == domain]
        return domain, self.random.sample(all_of, self.random.randint(1, min(3, len(all_of))))

    def call(self):
        domain, inputs = self.some()
        self.add('call', inputs, [domain])

    def mask(self):
        domain, inputs = self.some()
        self.masks.add(len(self.ports))
        self.add('mask', inputs, [domain])

    def split(self):
        domain, inputs = self.some()
        child = len(self.parents)
        if child > 4:
            return
        self.parents[child] = domain
        self.add('split', inputs, [child, child])

    def filter(self):
        if self.masks:
            mask = self.random.choice(sorted(self.masks))
            _, inputs = self.some(self.ports[mask])
            self.add('filter', [inputs[0], mask], [self.ports[mask]])

    def reduce(self):
        domain, inputs = self.some()
        if self.parents[domain] is not None:
            self.add('reduce', [inputs[0], inputs[-1]], [self.parents[domain]])

    def broadcast(self):
        domain, like = self.some()
        above, ancestors = domain, []
        while self.parents[above] is not None:
            above = self.parents[above]
            ancestors.append(above)
        if ancestors:
            _, source = self.some(self.random.choice(ancestors))
            self.add('broadcast', [source[0], like[0]], [domain])


def udf(step, number):
    """Which UDF a step has, and how often it fails."""
    kind = {'call': Mix, 'split': Split, 'mask': Ask}[step]
    return kind, (number, (10, 0, 25)[number % 3])


class Build(ro.Pipeline):
    """The program as a Pipeline."""

    def __init__(self, program, options):
        self.program = program
        self.options = options

    def forward(self, first, second):
        ports = [first, second]
        for step, inputs, number in self.program.steps:
            made = getattr(self, step, self.call)(step, [ports[i] for i in inputs], number)
            ports += made if isinstance(made, tuple) else (made,)
        return tuple(ports[i] for i in self.program.outputs)

    def call(self, step, inputs, number):
        kind, args = udf(step, number)
        module = ro.RayModule(kind).pre_init(*args).ray_options(**self.options)
        return module.returns(2 if step == 'split' else 1)(*inputs)

    def split(self, step, inputs, number):
        return F.expand_aligned(*self.call(step, inputs, number))

    def filter(self, step, inputs, number):
        return F.filter(*inputs)

    def reduce(self, step, inputs, number):
        return F.reduce(inputs[0], members=inputs[1])

    def broadcast(self, step, inputs, number):
        return F.broadcast(inputs[0], like=inputs[1])


class Oracle:
    """Each Port is a dict from places in the lineage to (outcome, value)."""

    def __init__(self, program, rows):
        self.program = program
        self.ports = [{(i,): ('present', row[column]) for i, row in enumerate(rows)}
                      for column in (0, 1)]
        # How the lists of a Domain's parents ended.
        self.expansions = {}
        for step, inputs, number in program.steps:
            made = getattr(self, step, self.call)(step, inputs, number)
            self.ports += made if isinstance(made, tuple) else (made,)

    def get_outputs(self):
        return tuple([self.ports[port][place] for place in sorted(self.ports[port])]
                     for port in self.program.outputs)

    def call(self, step, inputs, number):
        kind, args = udf(step, number)
        one = kind(*args).one
        return {place: self.call_one(one, [self.ports[i][place] for i in inputs])
                for place in self.ports[inputs[0]]}

    @staticmethod
    def call_one(one, items):
        outcomes = [outcome for outcome, _ in items]
        if any(outcome in GONE for outcome in outcomes):
            return 'suppressed', None
        if 'dropped' in outcomes:
            return 'dropped', None
        value = one(*(value for _, value in items))
        failed = isinstance(value[0] if isinstance(value, tuple) else value, ro.RecordFailure)
        return ('failed', None) if failed else ('present', value)

    def split(self, step, inputs, number):
        lists = self.call(step, inputs, number)
        self.expansions[len(self.expansions) + 1] = lists
        return tuple({(*place, i): ('present', part)
                      for place, (outcome, value) in lists.items() if outcome == 'present'
                      for i, part in enumerate(value[which])} for which in (0, 1))

    def filter(self, step, inputs, number):
        source, mask = (self.ports[i] for i in inputs)
        return {place: self.filter_one(source[place], mask[place]) for place in source}

    @staticmethod
    def filter_one(item, mask):
        if item[0] != 'present':
            return item[0], None
        if mask[0] != 'present':
            return mask[0], None
        return item if mask[1] else ('dropped', None)

    def reduce(self, step, inputs, number):
        domain = self.program.ports[inputs[0]]
        values, members = (self.ports[i] for i in inputs)
        children = {}
        for place in sorted(values):
            children.setdefault(place[:-1], []).append((values[place], members[place]))
        return {place: self.reduce_one(outcome, children.get(place, []))
                for place, (outcome, _) in self.expansions[domain].items()}

    @staticmethod
    def reduce_one(expansion, children):
        if expansion == 'dropped':
            return 'dropped', None
        if expansion in GONE or any(member[0] in GONE for _, member in children):
            return 'suppressed', None
        values = [value for value, member in children if member[0] == 'present']
        if any(outcome != 'present' for outcome, _ in values):
            return 'suppressed', None
        return 'present', [value for _, value in values]

    def broadcast(self, step, inputs, number):
        source, like = (self.ports[i] for i in inputs)
        depth = len(next(iter(source), ()))
        found = {place: source[place[:depth]] for place in like}
        return {place: ('suppressed', None) if item[0] in GONE else item
                for place, item in found.items()}
