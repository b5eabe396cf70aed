# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The content of a record as HTML, whatever it is."""

import json

from .markup import element, join

MAX_TEXT = 2000
MAX_PARTS = 60
MAX_FIELDS = 24
MAX_FIELD = 120
# Of these names numbers are nanoseconds.
TIMES = ('time', 'start', 'end', 'duration')


def shorten(text, limit):
    return text if len(text) <= limit else text[:limit] + ' …'


def is_unit(value):
    """An element of content-format=full."""
    return isinstance(value, dict) and 'ordinal' in value and 'outcome' in value


def is_picture(part):
    return is_unit(part) and 'file' in (part['info'] or {})


def _scalar(value):
    if isinstance(value, float):
        return f'{value:.6g}'
    if isinstance(value, str):
        return shorten(value, MAX_FIELD)
    return shorten(json.dumps(value, ensure_ascii=False), MAX_FIELD)


def fields(values):
    """Members that are short, as "name value"; how long the others are."""
    shown = []
    for name, value in list(values.items())[:MAX_FIELDS]:
        if value is None:
            continue
        if isinstance(value, list):
            text = f'{len(value)} elements'
        elif name in TIMES and isinstance(value, int):
            text = f'{value / 1e9:.2f} s'
        else:
            text = _scalar(value)
        shown.append(element('span', element('b', shorten(name, MAX_FIELD)),
                             ' ', text, class_='field'))
    return element('div', *shown, class_='fields') if shown else ''


class Values:
    """Renders values; `pictures` has those that they name."""

    def __init__(self, pictures):
        self.pictures = pictures

    def _file(self, uri):
        shown = self.pictures.data_uri(uri)
        if shown:
            return element('img', src=shown, alt=uri, title=uri)
        return element('span', uri, class_='field')

    def _text(self, text):
        return element('pre', shorten(text, MAX_TEXT)) if text.strip() else ''

    def _object(self, value):
        inputs = {name: part for name, part in value.items() if is_unit(part)}
        if inputs and len(inputs) == len(value):
            return join(element('div', element('h4', name), self._inside(part))
                        for name, part in inputs.items())
        if set(value) == {'file'} and isinstance(value['file'], str):
            return self._file(value['file'])
        return fields(value)

    def value(self, value):
        if value is None:
            return ''
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self.parts(value)
        return element('span', _scalar(value), class_='field')

    def _inside(self, unit):
        """What a unit says, without its number."""
        cause, info = unit.get('cause'), dict(unit.get('info') or {})
        file = info.pop('file', None)
        return join([
            element('p', cause.get('message', ''), class_='cause')
            if cause else '',
            self._file(file) if isinstance(file, str) else '',
            self.value(unit.get('text')), self.value(unit.get('value')),
            self.value(unit.get('content')), fields(info)])

    def _part(self, number, part):
        if not is_unit(part):
            return element('li', self.value(part), value=number + 1)
        return element('li', self._inside(part), value=part['ordinal'] + 1,
                       class_=part['outcome'])

    def parts(self, content):
        """A list, in its order."""
        shown = [self._part(number, part)
                 for number, part in enumerate(content[:MAX_PARTS])]
        left = len(content) - len(shown)
        kind = 'pictures' if content and all(map(is_picture, content)) else None
        return join([element('ol', *shown, class_=kind),
                     element('p', f'and {left} more') if left else ''])
