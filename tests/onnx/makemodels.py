#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""makemodels.py FOLDER: small ONNX models, written as the bytes they are, so that no
package is needed.  FOLDER/NAME.onnx for each of MODELS."""

import os
import random
import struct
import sys

FLOAT, UINT8, INT32, INT64, FLOAT16 = 1, 2, 6, 7, 10


# ---- protocol buffers ----

def number(value):
    out = b''
    while value > 0x7f:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def field(tag, value):
    if isinstance(value, int):
        return number(tag << 3) + number(value)
    if isinstance(value, float):
        return number(tag << 3 | 5) + struct.pack('<f', value)
    if isinstance(value, str):
        value = value.encode()
    return number(tag << 3 | 2) + number(len(value)) + value


def fields(tag, values):
    return b''.join(field(tag, value) for value in values)


# ---- parts of a model ----

def attribute(name, value):
    if isinstance(value, list):
        return field(1, name) + fields(8, value) + field(20, 7)
    return field(1, name) + field(3, value) + field(20, 2)


def node(kind, inputs, outputs, **attributes):
    return (fields(1, inputs) + fields(2, outputs) + field(4, kind)
            + fields(5, [attribute(*pair) for pair in attributes.items()]))


def value(name, kind, shape):
    """A dimension that is a word is open."""
    dimensions = [field(2, size) if isinstance(size, str) else field(1, size)
                  for size in shape]
    tensor = field(1, kind) + field(2, fields(1, dimensions))
    return field(1, name) + field(2, field(1, tensor))


def floats(name, shape, values):
    return (fields(1, shape) + field(2, FLOAT) + field(8, name)
            + field(9, struct.pack(f'<{len(values)}f', *values)))


def model(nodes, inputs, outputs, constants=()):
    graph = (fields(1, nodes) + field(2, 'test') + fields(5, constants)
             + fields(11, inputs) + fields(12, outputs))
    return field(1, 8) + field(7, graph) + field(8, field(1, '') + field(2, 13))


# ---- models ----

IMAGE = [3, 12, 16]


def means(kind=FLOAT, shape=('N', *IMAGE), axes=(2, 3)):
    """The mean of each channel, as float."""
    channels = shape[1] if axes[0] == 2 else shape[3]
    return model([node('Cast', ['x'], ['f'], to=FLOAT),
                  node('ReduceMean', ['f'], ['y'], axes=list(axes), keepdims=0)],
                 [value('x', kind, shape)], [value('y', FLOAT, [shape[0], channels])])


def features(batch):
    """What a network does, small: a convolution, and everything with everything."""
    chance = random.Random(6)
    weights = [chance.uniform(-1, 1) for _ in range(8 * 3 * 3 * 3)]
    matrix = [chance.uniform(-1, 1) for _ in range(8 * 12 * 16 * 10)]
    return model([node('Conv', ['x', 'w'], ['c'], pads=[1, 1, 1, 1]),
                  node('Relu', ['c'], ['r']),
                  node('Flatten', ['r'], ['flat'], axis=1),
                  node('MatMul', ['flat', 'm'], ['y'])],
                 [value('x', FLOAT, [batch, *IMAGE])], [value('y', FLOAT, [batch, 10])],
                 [floats('w', [8, 3, 3, 3], weights),
                  floats('m', [8 * 12 * 16, 10], matrix)])


def two_outputs():
    return model([node('ReduceMean', ['x'], ['mean'], axes=[2, 3], keepdims=0),
                  node('Cast', ['x'], ['half'], to=FLOAT16)],
                 [value('x', FLOAT, ['N', *IMAGE])],
                 [value('mean', FLOAT, ['N', 3]), value('half', FLOAT16, ['N', *IMAGE])])


def two_inputs():
    shape = ['N', *IMAGE]
    return model([node('Add', ['a', 'b'], ['y'])],
                 [value('a', FLOAT, shape), value('b', FLOAT, shape)],
                 [value('y', FLOAT, shape)])


def logarithm():
    """Not finite for black."""
    return model([node('ReduceMean', ['x'], ['mean'], axes=[2, 3], keepdims=0),
                  node('Log', ['mean'], ['y'])],
                 [value('x', FLOAT, ['N', *IMAGE])], [value('y', FLOAT, ['N', 3])])


def look_up():
    """Fails, with all its batch, if there is an image with a mean of 1 or more."""
    return model([node('ReduceMean', ['x'], ['mean'], axes=[1, 2, 3], keepdims=0),
                  node('Cast', ['mean'], ['index'], to=INT64),
                  node('Gather', ['table', 'index'], ['y'], axis=0)],
                 [value('x', FLOAT, ['N', *IMAGE])], [value('y', FLOAT, ['N', 2])],
                 [floats('table', [1, 2], [5, 6])])


def no_batch():
    return model([node('ReduceMean', ['x'], ['y'], axes=[0, 2, 3], keepdims=0)],
                 [value('x', FLOAT, ['N', *IMAGE])], [value('y', FLOAT, [3])])


def nothing():
    """No number for each image."""
    return model([node('ReduceMean', ['x'], ['mean'], axes=[2, 3], keepdims=0),
                  node('Gather', ['mean', 'none'], ['y'], axis=1)],
                 [value('x', FLOAT, ['N', *IMAGE])], [value('y', FLOAT, ['N', 0])],
                 [integers('none', [])])


def varying():
    """Of brighter images more comes out."""
    return model([node('ReduceMax', ['x'], ['largest'], keepdims=0),
                  node('Cast', ['largest'], ['many'], to=INT64),
                  node('Unsqueeze', ['many', 'first'], ['last']),
                  node('Add', ['last', 'one'], ['end']),
                  node('Slice', ['x', 'first', 'end', 'axis'], ['y'])],
                 [value('x', FLOAT, ['N', *IMAGE])],
                 [value('y', FLOAT, ['N', 'some', *IMAGE[1:]])],
                 [integers('first', [0]), integers('one', [1]), integers('axis', [1])])


def integers(name, values):
    return (field(1, len(values)) + field(2, INT64) + field(8, name)
            + field(9, struct.pack(f'<{len(values)}q', *values)))


MODELS = {
    'means': means(),
    'means-float16': means(FLOAT16),
    'means-uint8': means(UINT8),
    'means-nhwc': means(shape=('N', 12, 16, 3), axes=(1, 2)),
    'means-grey': means(shape=('N', 1, 12, 16)),
    'means-open': means(shape=('N', 3, 'H', 'W')),
    'means-rank': model([node('Relu', ['x'], ['y'])], [value('x', FLOAT, ['N', 3, 12])],
                        [value('y', FLOAT, ['N', 3, 12])]),
    'means-int32': means(INT32),
    'means-channels': means(shape=('N', 4, 12, 16)),
    'features': features('N'),
    'features-4': features(4),
    'features-1': features(1),
    'two-outputs': two_outputs(),
    'two-inputs': two_inputs(),
    'logarithm': logarithm(),
    'look-up': look_up(),
    'no-batch': no_batch(),
    'nothing': nothing(),
    'varying': varying(),
    'corrupt': means()[:-40],
    'text': b'This is no model.\n',
    'empty': b'',
}


LABELS = 'red\n"green"\nbl\u00fc\n'


def main(folder):
    for name, content in MODELS.items():
        with open(os.path.join(folder, name + '.onnx'), 'wb') as file:
            file.write(content)
    with open(os.path.join(folder, 'labels.txt'), 'w', encoding='utf-8') as file:
        file.write(LABELS)
    with open(os.path.join(folder, 'models.stamp'), 'w', encoding='utf-8'):
        pass


if __name__ == '__main__':
    main(*sys.argv[1:])
