# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""Which NumPy arrays raw video, raw audio and tensors are."""

import math

import numpy

from .caps import quote

# Channels and type of a pixel; those with one channel are H x W, the others H x W x C.
VIDEO = {
    "RGB": (3, "u1"), "BGR": (3, "u1"),
    "RGBA": (4, "u1"), "BGRA": (4, "u1"), "ARGB": (4, "u1"), "ABGR": (4, "u1"),
    "RGBx": (4, "u1"), "BGRx": (4, "u1"), "xRGB": (4, "u1"), "xBGR": (4, "u1"),
    "GRAY8": (1, "u1"), "GRAY16_LE": (1, "<u2"), "GRAY16_BE": (1, ">u2"),
    "RGBA64_LE": (4, "<u2"), "RGBA64_BE": (4, ">u2"),
}

AUDIO = {
    "S8": "i1", "U8": "u1",
    "S16LE": "<i2", "S16BE": ">i2", "U16LE": "<u2", "U16BE": ">u2",
    "S32LE": "<i4", "S32BE": ">i4", "U32LE": "<u4", "U32BE": ">u4",
    "F32LE": "<f4", "F32BE": ">f4", "F64LE": "<f8", "F64BE": ">f8",
}

TENSORS = {
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
}


class Misfit(Exception):
    """A buffer is not what its caps say."""


class Frame:
    """The layout of raw video in one plane."""

    def __init__(self, format, width, height):
        self.format = format
        channels, type = VIDEO[format]
        self.dtype = numpy.dtype(type)
        self.shape = (height, width) if channels == 1 else (height, width, channels)
        self.pixel = channels * self.dtype.itemsize
        self.stride = (width * self.pixel + 3) // 4 * 4

    @staticmethod
    def from_caps(caps):
        """None when it is not raw video, or not in one plane of whole pixels."""
        width, height = caps.get("width"), caps.get("height")
        if caps.name != "video/x-raw" or caps.get("format") not in VIDEO \
                or not isinstance(width, int) or not isinstance(height, int):
            return None
        return Frame(caps.get("format"), width, height)

    def get_strides(self, stride):
        return (stride, self.pixel, self.dtype.itemsize)[:len(self.shape)]

    def view(self, memory, video_meta):
        height, width = self.shape[:2]
        offset, stride = 0, self.stride
        if video_meta:
            width_there, height_there, planes = video_meta
            offset, stride = planes[0]
            if (width_there, height_there) != (width, height):
                raise Misfit(f"the frame is {width_there}x{height_there}, "
                             f"its caps say {width}x{height}")
        if offset + stride * (height - 1) + width * self.pixel > len(memory):
            raise Misfit(f"a frame of {width}x{height} has no more than {len(memory)} bytes")
        return numpy.ndarray(self.shape, self.dtype, memory, offset, self.get_strides(stride))


def view_audio(caps):
    """A function from memory to an array of samples x channels, or None."""
    type = AUDIO.get(caps.get("format"))
    channels = caps.get("channels")
    if caps.name != "audio/x-raw" or not type or not isinstance(channels, int) or channels < 1 \
            or caps.get("layout", "interleaved") != "interleaved":
        return None
    dtype = numpy.dtype(type)

    def view(memory):
        if len(memory) % (channels * dtype.itemsize):
            raise Misfit(f"{len(memory)} bytes are no whole number of samples")
        return numpy.frombuffer(memory, dtype).reshape(-1, channels)
    return view


def _read_shape(text):
    """Tensors count their dimensions from the innermost out, arrays from the outermost in."""
    return tuple(int(n) for n in reversed(text.split(":")))


def view_tensors(caps):
    """A function from memory to an array, or a list of them, or None."""
    if caps.name != "other/tensors" or caps.get("format", "static") != "static":
        return None
    try:
        types = [t.strip() for t in str(caps.get("types", "")).split(",") if t.strip()]
        shapes = [_read_shape(d) for d in str(caps.get("dimensions", "")).split(",") if d.strip()]
    except ValueError:
        return None
    if len(types) != len(shapes) or not TENSORS.issuperset(types):
        return None
    dtypes = [numpy.dtype(t) for t in types]
    sizes = [math.prod(s) * d.itemsize for s, d in zip(shapes, dtypes)]

    def view(memory):
        if len(memory) != sum(sizes):
            raise Misfit(f"the tensors of {caps.text} have {sum(sizes)} bytes, "
                         f"these are {len(memory)}")
        arrays, at = [], 0
        for shape, dtype, size in zip(shapes, dtypes, sizes):
            arrays.append(numpy.ndarray(shape, dtype, memory, at))
            at += size
        return arrays[0] if len(arrays) == 1 else arrays
    return view


def make_tensor_caps(shape, dtype):
    dimensions = ":".join(str(n) for n in reversed(shape))
    return ("other/tensors, format=(string)static, num_tensors=(int)1, "
            f"dimensions=(string){quote(dimensions)}, types=(string){dtype.name}, "
            "framerate=(fraction)0/1")
