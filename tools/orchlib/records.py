# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Reading what orchsink writes: one JSON object a line."""

import json
import urllib.parse

from . import OrchError

EXAMPLES = 3
VALUE_WIDTH = 200


def read(path):
    """The records of a file.  A last line without its newline is not one: a
    run that was killed left it."""
    with open(path, 'rb') as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b'\n'):
                return
            try:
                record = json.loads(line)
            except ValueError as error:
                raise OrchError(f'{path}, line {number}: not a record: '
                                f'{error}') from error
            if 'outcome' in record:
                yield record


def readable(identity):
    """file:///a%20b.pdf#page=2 as a person writes it: /a b.pdf#page=2"""
    if identity.startswith('file://'):
        return urllib.parse.unquote(identity[len('file://'):])
    return identity


class Cause:
    """One kind of failure: how often, why, and where for example."""

    def __init__(self, code, message):
        self.code = code
        self.message = message
        self.count = 0
        self.examples = []

    def add(self, identity):
        self.count += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(readable(identity))


UNKNOWN = {'domain': 'orch', 'code': 'unknown', 'message': 'No cause given.'}


def _failures(record):
    """(id, cause) of everything that is missing from one record."""
    for failure in record['failures']:
        yield failure['id'], failure['cause'] or UNKNOWN
    if not record['failures']:
        yield record['id'], record['cause'] or UNKNOWN


class Summary:
    """What a file of records says."""

    def __init__(self, records):
        self.complete = 0
        self.incomplete = 0
        causes = {}
        for record in records:
            if record['complete']:
                self.complete += 1
                continue
            self.incomplete += 1
            for identity, cause in _failures(record):
                code = '{domain}/{code}'.format(**cause)
                if code not in causes:
                    causes[code] = Cause(code, cause['message'])
                causes[code].add(identity)
        self.causes = sorted(causes.values(), key=lambda c: (-c.count, c.code))

    @property
    def documents(self):
        return self.complete + self.incomplete

    def lines(self):
        """For a person: counts, then failures grouped by cause."""
        yield (f'{plural(self.documents, "document")}: {self.complete} '
               f'complete, {self.incomplete} not')
        for cause in self.causes:
            yield f'  {cause.count} x {cause.code}: {cause.message}'
            for example in cause.examples:
                yield f'      {example}'
            if cause.count > len(cause.examples):
                yield f'      and {cause.count - len(cause.examples)} more'


def plural(count, noun):
    return f'{count} {noun}' if count == 1 else f'{count} {noun}s'


def text_lines(record):
    """The text of a record, a heading for each child that has one."""
    yield f'== {readable(record["id"])} ({record["outcome"]})'
    if record.get('summary'):
        yield f'   {record["summary"]}'
    yield from _content_lines(record.get('content'))


def _content_lines(content):
    if isinstance(content, str):
        yield from (line for line in content.splitlines() if line.strip())
        return
    for element in content or []:
        if isinstance(element, str):
            yield from _content_lines(element)
            continue
        yield f'-- {element["ordinal"] + 1} ({element["outcome"]})'
        if element.get('cause'):
            yield f'   {element["cause"]["message"]}'
        if element.get('value') is not None:
            yield json.dumps(element['value'], ensure_ascii=False)[:VALUE_WIDTH]
        text = element.get('text')
        yield from _content_lines(element.get('content') if text is None
                                  else text)
