# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Functions that the tests run."""

import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy

import gst_orch
from gst_orch import Drop, GroupFailure, RecordFailure, Value


class Identity:
    def run(self, batch):
        return batch


class Upper:
    def __init__(self, *marks, end=""):
        self.end = "".join(marks) + end

    def run(self, batch, times=1):
        return [text.upper() * times + self.end for text in batch]


def reverse(batch):
    return [text[::-1] for text in batch]


class Outer:
    class Inner(Upper):
        pass


class Unreadable:
    def __array__(self, *args, **kwargs):
        raise ValueError("no array")


class Deeds:
    """Does what the text says."""

    def do_raise(self):
        raise ValueError("it is so")

    def do_record(self):
        return RecordFailure("unreadable", code="bad-page")

    def do_group(self):
        return GroupFailure("useless")

    def do_drop(self):
        return Drop

    def do_raise_record(self):
        raise RecordFailure("raised")

    def do_raise_drop(self):
        raise Drop

    def do_set(self):
        return {1, 2}

    def do_complex(self):
        return numpy.zeros(3, complex)

    def do_nan(self):
        return {"x": float("nan")}

    def do_abort(self):
        sys.stderr.write("the last words\n")
        os.abort()

    def do_exit(self):
        os._exit(7)

    def do_sysexit(self):
        sys.exit(8)

    def do_exit_with_child(self):
        # It holds what the worker has open.
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(7)

    def do_exit_with_thread(self):
        threading.Thread(target=time.sleep, args=(1000,)).start()
        sys.exit(8)

    def do_big(self):
        return "b" * 30000

    def do_unreadable(self):
        return Unreadable()

    def do_caps(self):
        return Value("a", caps="no caps ,,")

    def do_caps_number(self):
        return Value("a", caps=5)

    def do_caps_field(self):
        return Value(numpy.zeros((2, 2), "u1"), caps="video/x-raw, width=(int)x")

    def do_info_number(self):
        return Value("a", info={5: "a"})

    def do_classes(self):
        return [Drop, RecordFailure, "a"]

    def do_segv(self):
        ctypes.string_at(8)

    def do_memory(self):
        raise MemoryError

    def do_deep(self):
        return self.do_deep()

    def do_spin(self):
        while True:
            pass

    def do_sleep(self):
        time.sleep(1000)

    def do_holdgil(self):
        ctypes.PyDLL(None).pause()

    def do_bomb(self):
        kept = []
        while True:
            kept.append(numpy.ones(1 << 22))

    def run(self, batch):
        return [getattr(self, "do_" + text)() if hasattr(self, "do_" + text) else text
                for text in batch]


class Flood(Deeds):
    def run(self, batch):
        for _ in range(4000):
            print("x" * 1000)
            print("y" * 1000, file=sys.stderr)
        return super().run(batch)


class WrongNumber:
    def run(self, batch):
        return batch[1:]


class WrongType:
    def run(self, batch):
        return {text: 1 for text in batch}


class Words:
    """Opens texts."""

    def run(self, batch):
        return [text.split("_") for text in batch]


class Lengths:
    """Of lists, or of texts."""

    def run(self, batch):
        return [str(len(value)) for value in batch]


class Two:
    def run(self, batch):
        return ([text.upper() for text in batch], [f"{len(text)}" for text in batch])


class TwoDeeds(Deeds):
    """Texts of two words, one for each output."""

    def run(self, batch):
        pairs = [text.split("|") for text in batch]
        return [super(TwoDeeds, self).run(list(column)) for column in zip(*pairs)]


class Add:
    def run(self, first, second, *, mark="+"):
        return [f"{a}{mark}{b}" for a, b in zip(first, second)]


class Named:
    def run(self, image, text):
        return [f"{i}:{t}" for i, t in zip(image, text)]


class Early:
    """Commits one by one, and waits for ever at what is called so."""

    def run(self, batch):
        for place, text in enumerate(batch):
            if text == "wait":
                while not gst_orch.get_batch().is_cancelled():
                    time.sleep(0.01)
                return
            if text == "segv":
                ctypes.string_at(8)
            yield place, text.upper()


class WrongPlace:
    def run(self, batch):
        yield 5, "x"


class Sizes:
    """The size of each batch that it is given."""

    def run(self, batch):
        return [str(len(batch))] * len(batch)


class Where:
    """What is known of a unit beside its value."""

    def run(self, batch):
        known = gst_orch.get_batch()
        return [f"{'/'.join(map(str, known.get_ordinals(i)))} {known.get_caps(i)} "
                f"{known.get_info(i).get('mark', '')}" for i in range(len(batch))]


class Mark:
    def run(self, batch):
        return [Value(text, info={"mark": text + "!", "n": numpy.int64(3)})
                for text in batch]


class Warn:
    def run(self, batch):
        for i, text in enumerate(batch):
            gst_orch.get_batch().warn(i, f"beware of {text}")
        return batch


class Mirror:
    """Arrays with negative strides."""

    def run(self, batch):
        return [array[:, ::-1] for array in batch]


class Shape:
    def run(self, batch):
        return [f"{array.dtype.str} {'x'.join(map(str, array.shape))} "
                f"{'fixed' if not array.flags.writeable else 'loose'}" for array in batch]


class Crop:
    def run(self, batch):
        return [array[1:, 1:] for array in batch]


class Arrays:
    """Arrays of every type and layout, by name."""

    def run(self, batch):
        return [getattr(self, "make_" + text)() for text in batch]

    def make_matrix(self):
        return numpy.arange(24, dtype="f4").reshape(8, 3)

    def make_big(self):
        return numpy.arange(30000, dtype="i4").reshape(100, 300)

    def make_of_class(self):
        return numpy.asmatrix(self.make_big())

    def make_transposed(self):
        return numpy.arange(30000, dtype="i4").reshape(300, 100).T

    def make_swapped(self):
        return numpy.arange(30000, dtype=">u2").reshape(100, 300)

    def make_empty(self):
        return numpy.zeros((0, 3))

    def make_bool(self):
        return numpy.array([True, False, True])

    def make_scalar(self):
        return numpy.array(5)

    def make_float(self):
        return numpy.float32(0.5)

    def make_frame(self):
        frame = numpy.arange(5 * 3 * 3, dtype="u1").reshape(3, 5, 3)
        return Value(frame, caps="video/x-raw, format=RGB")

    def make_jpeg(self):
        return Value(b"\xff\xd8", caps="image/jpeg")

    def make_masked(self):
        return numpy.ma.masked_array([1, 2], [True, False])

    def make_bytes(self):
        return b"bytes"

    def make_json(self):
        return {"a": [1, 2.5, None, True, "ü"], "b": numpy.arange(3), "c": numpy.int8(-1)}

    def make_none(self):
        return None

    def make_mixed(self):
        return ["text", RecordFailure("no", code="gone"), Drop(), numpy.arange(3), {"x": 1}, [""]]


class Keep:
    """Sums of this array and of all that came before, which are kept."""

    def __init__(self):
        self.kept = []

    def run(self, batch):
        self.kept += batch
        return [" ".join(str(array.sum()) for array in self.kept)] * len(batch)


class Sum:
    def run(self, batch):
        return [str(numpy.asarray(array).sum()) for array in batch]


class Describe:
    """What a value is here."""

    def run(self, batch):
        return [f"{type(value).__name__} "
                f"{bytes(value) if isinstance(value, memoryview) else value!r}" for value in batch]


class ReadDocument:
    def run(self, batch):
        return [document.read().decode() + "|" + document.open().read(3).decode() + "|"
                + str(document.size) for document in batch]


class Environment:
    def run(self, batch):
        return [sys.prefix for _ in batch]


class Walls:
    """What a confined worker can reach."""

    def run(self, batch):
        return [self.try_one(text) for text in batch]

    def try_one(self, text):
        try:
            if text == "read":
                open(__file__, encoding="utf-8").close()
            elif text == "program":
                subprocess.run(["true"], check=True)
            elif text == "share":
                return str(numpy.frombuffer(memoryview(bytes(100000)), "u1").sum())
            return "reached"
        except OSError:
            return "refused"


class CannotBeMade:
    def __init__(self):
        raise RuntimeError("the model is not there")


class NoRun:
    pass
