# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""One HTML page about a run, which needs no other file.

However large the corpus: the first documents are shown, all are counted."""

import dataclasses
import itertools
import os
import tempfile

from . import records
from .markup import Markup, element, join
from .pictures import Pictures
from .progress import duration
from .timeline import Stage
from .values import Values, fields

MAX_DOCUMENTS = 1000
MAX_OPEN = 20         # documents of which all is seen at once
PICTURE_BUDGET = 64 << 20

# Nothing of a document may run, or load anything.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = Markup("""
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 75em; color: #222 }
h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 2em }
h4 { margin: .4em 0 0; color: #666; font-weight: normal }
table { border-collapse: collapse; width: 100% }
th, td { text-align: right; padding: .2em .6em; border-bottom: 1px solid #ddd }
th:first-child, td:first-child, td.bar, .words td, .words th { text-align: left }
td.bar { width: 40%; min-width: 12em }
.track { position: relative; height: 1em; background: #eee }
.track span { position: absolute; height: 100%; background: #9cc; overflow: hidden }
.track i { display: block; height: 100%; background: #277 }
details { border-top: 1px solid #ddd; padding: .4em 0 }
summary { cursor: pointer }
.failed, .suppressed, .cause, .bad { color: #a22 }
ol { padding-left: 2.5em } li { margin: .6em 0 }
.pictures { display: flex; flex-wrap: wrap; gap: .2em 2em }
img { display: block; max-width: 16em; max-height: 12em; margin: .2em; border: 1px solid #ccc }
pre { white-space: pre-wrap; background: #f6f6f6; padding: .5em; max-height: 15em; overflow: auto }
.field { display: inline-block; margin-right: 1em; color: #444; overflow-wrap: anywhere }
.field b { color: #888; font-weight: normal }
code { overflow-wrap: anywhere }
""")


@dataclasses.dataclass
class RunFacts:
    """What the command knows of a run, beside the records."""
    line: str                 # for gst-launch-1.0
    end: str                  # how it ended, in words
    elapsed: float            # seconds
    done: int                 # documents in this run
    skipped: int              # done in an earlier one
    stages: list[Stage] = dataclasses.field(default_factory=list)
    document: str = 'document'    # what they are called


def _head(title):
    return join([
        element('meta', charset='utf-8'),
        element('meta', http_equiv='Content-Security-Policy', content=POLICY),
        element('meta', name='viewport', content='width=device-width'),
        element('title', title), element('style', STYLE)])


def _overview(facts, summary):
    noun = facts.document
    skipped = f'; {facts.skipped} had been done before' if facts.skipped else ''
    return join([
        element('p', f'{facts.end}: {records.plural(facts.done, noun)} in '
                f'{duration(facts.elapsed)}{skipped}.'),
        element('p', 'The file of records has '
                f'{records.plural(summary.documents, noun)}: '
                f'{summary.complete} complete, {summary.incomplete} not.'),
        element('details', element('summary', 'The pipeline'),
                element('code', facts.line))])


# ---- stages ----

def _percent(part, whole):
    return f'{100 * part / whole:.2f}%' if whole > 0 else '0%'


def _bar(stage, elapsed):
    inner = element('i', style=f'width: {_percent(stage.share, 1)}')
    span = element(
        'span', inner,
        style=f'left: {_percent(stage.begin, elapsed)}; '
              f'width: {_percent(stage.end - stage.begin, elapsed)}')
    return element('div', span, class_='track')


def _stage_row(stage, elapsed):
    cells = [stage.name, stage.function, stage.units, stage.failed,
             stage.batches, f'{stage.mean_batch:.1f}', stage.threads,
             f'{stage.begin:.2f}', f'{stage.end:.2f}',
             f'{100 * stage.share:.0f} %', f'{stage.tail(elapsed):.2f}']
    return element('tr', *(element('td', cell) for cell in cells),
                   element('td', _bar(stage, elapsed), class_='bar'))


def _stages(facts):
    if not facts.stages:
        return ''
    titles = ['Call', 'Function', 'units', 'failed', 'batches', 'mean batch',
              'threads', 'first start (s)', 'last end (s)', 'busy',
              'tail (s)', 'from start to end of the run']
    stages = sorted(facts.stages, key=lambda stage: stage.begin)
    return join([
        element('h2', 'Stages'),
        element('p', 'Busy: the share of the time from its first batch to its '
                'last that the threads of a Call had one. Tail: how long the '
                'run went on after its last batch.'),
        element('table', element('tr', *(element('th', title)
                                         for title in titles)),
                *(_stage_row(stage, facts.elapsed) for stage in stages))])


# ---- failures ----

def _failures(summary):
    if not summary.causes:
        return ''
    rows = [element('tr', element('td', cause.code), element('td', cause.count),
                    element('td', cause.message),
                    element('td', ', '.join(cause.examples)))
            for cause in summary.causes]
    titles = ['cause', 'times', 'message', 'for example']
    return join([element('h2', 'Failures'),
                 element('table', element('tr', *(element('th', title)
                                                  for title in titles)),
                         *rows, class_='words')])


# ---- documents ----

def _document(record, values, is_open):
    members = record['members']
    mark = '' if record['complete'] else ' bad'
    return element(
        'details',
        element('summary',
                element('span', records.readable(record['id']),
                        class_='name' + mark),
                f' {members["present"]} of {members["total"]}'),
        element('p', record['summary'], class_='cause')
        if record['summary'] else '',
        fields(record['info']), values.parts(record['content']),
        open='' if is_open or not record['complete'] else None)


def _documents(path, total, noun):
    pictures = Pictures(path, PICTURE_BUDGET)
    values = Values(pictures)
    yield element('h2', noun.capitalize() + 's')
    for record in itertools.islice(records.read(path), MAX_DOCUMENTS):
        pictures.use_shard(record['info'].get('shard'))
        yield _document(record, values, total <= MAX_OPEN)
    pictures.use_shard(None)
    if total > MAX_DOCUMENTS:
        yield element('p', f'and {total - MAX_DOCUMENTS} more')


def parts(facts, path):
    """The page, piece by piece."""
    summary = records.Summary(records.read(path))
    title = f'{os.path.basename(path)} — gst-orch'
    yield Markup('<!DOCTYPE html>\n<html lang="en"><head>')
    yield _head(title)
    yield Markup('</head><body>\n')
    yield element('h1', os.path.basename(path))
    yield _overview(facts, summary)
    yield _failures(summary)
    yield _stages(facts)
    for piece in _documents(path, summary.documents, facts.document):
        yield piece
        yield '\n'
    yield Markup('</body></html>\n')


def write(facts, path, target):
    """Writes the page `target` about the records of `path`: all of it, or
    none."""
    folder = os.path.dirname(os.path.abspath(target))
    fd, temporary = tempfile.mkstemp(prefix='.orch-report-', dir=folder)
    try:
        with open(fd, 'w', encoding='utf-8', errors='replace') as file:
            for piece in parts(facts, path):
                file.write(piece)
        # mkstemp() makes files that only their owner reads.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
