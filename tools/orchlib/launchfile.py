# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Launch files: a gst-launch-1.0 line with parameters.

    # What the pipeline does, in the first comment line.
    #
    #: dpi=150  Resolution of the rendered pages, in dots per inch
    orchsrc ${inputs} ! orchpdfpages ! orchexpand !
    orchpdfrender dpi=${dpi} ! ... ! orchsink location=${output}

Lines that start with `#:` declare a parameter, its default and what it means;
`#units: video clip` says what its documents and their parts are called; other
lines that start with `#` are comments.  The rest is one pipeline, over as many
lines as it likes, in the words of gst-launch-1.0.  ${output} is the file of
records, ${files} a folder for the pictures that they name, a word ${inputs}
becomes one location=... for each input.
"""

import os
import re
import shlex

from . import OrchError

_PARAMETER = re.compile(r'#:\s*([a-z][a-z0-9-]*)=(\S*)\s+(.*)')
_UNITS = re.compile(r'#units:\s*([a-z]+)\s+([a-z]+)\s*\Z')
_REFERENCE = re.compile(r'\$\{([a-z][a-z0-9-]*)\}')
FILES = 'files=${files}'
_PLAIN = re.compile(r'[A-Za-z0-9_./+:@-]+\Z')


class LaunchFileError(OrchError):
    pass


class Parameter:
    def __init__(self, name, default, description):
        self.name = name
        self.default = default
        self.description = description


def quote(value):
    """The value of a property as gst_parse_launch() reads it."""
    if _PLAIN.match(value):
        return value
    return '"' + value.replace('\\', '\\\\').replace('"', '\\"') + '"'


class LaunchFile:
    def __init__(self, path):
        self.name = os.path.basename(path)
        self.description = ''
        self.parameters = []
        self.units = ('document', 'page')
        lines = []
        with open(path, encoding='utf-8') as file:
            for line in file:
                if line.startswith('#'):
                    self._read_comment(line)
                else:
                    lines.append(line)
        self.words = shlex.split(' '.join(lines))
        self.names_files = FILES in self.words
        self._check(path)

    def _read_comment(self, line):
        match = _PARAMETER.match(line)
        units = _UNITS.match(line)
        text = line.lstrip('#').strip()
        if match:
            self.parameters.append(Parameter(*match.groups()))
        elif units:
            self.units = units.groups()
        elif text and not self.description:
            self.description = text

    def _check(self, path):
        declared = {p.name for p in self.parameters}
        used = set(_REFERENCE.findall(' '.join(self.words)))
        if not {'inputs', 'output'} <= used:
            raise LaunchFileError(f'{path}: needs ${{inputs}} and ${{output}}')
        for name in used - declared - {'inputs', 'output', 'files'}:
            raise LaunchFileError(f'{path}: no "#: {name}=..." for ${{{name}}}')
        for name in declared - used:
            raise LaunchFileError(f'{path}: parameter {name} is not used')

    def expand(self, inputs, output, values, files=None, shards=None):
        """The words of the pipeline, as gst_parse_launchv() takes them.
        `shards`: a folder for tar archives, instead of `files`."""
        known = {p.name: p.default for p in self.parameters}
        known.update(values)
        known['output'] = output
        known['files'] = files or os.path.splitext(output)[0] + '.files'
        words = []
        for word in self.words:
            if word == '${inputs}':
                words += [f'location={quote(name)}' for name in inputs]
            elif word == FILES and shards:
                words.append(f'shards={quote(shards)}')
            else:
                words.append(_REFERENCE.sub(
                    lambda match: quote(known[match.group(1)]), word))
        return words


def shell_line(words):
    """The line a person would type in a shell."""
    return 'gst-launch-1.0 ' + ' '.join(
        word if word == '!' else shlex.quote(word) for word in words)


def find(folder):
    """The launch files of a folder, by name."""
    files = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and name not in ('meson.build', 'README.md'):
            files[name] = LaunchFile(path)
    return files
