# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""HTML that cannot be left unescaped: only element() makes markup, and whatever
is not markup is text."""

import html


class Markup(str):
    """HTML as it is."""


def escape(content):
    if isinstance(content, Markup):
        return content
    return Markup(html.escape(str(content)))


def join(parts):
    return Markup(''.join(map(escape, parts)))


VOID = ('img', 'meta')


def element(name, /, *content, **attributes):
    """element('p', 'a < b', class_='note'); None leaves an attribute out."""
    opened = name + ''.join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Markup(f'<{opened}>')
    return Markup(f'<{opened}>{join(content)}</{name}>')
