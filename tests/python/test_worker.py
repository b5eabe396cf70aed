# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""The worker of Python Functions as docs/worker-protocol.md describes it, without GStreamer."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import numpy

from call import Call, Closed, Say
from gst_orch.worker.arrays import make_tensor_caps
from gst_orch.worker.caps import Caps, quote
from gst_orch.worker.decode import Decoder
from gst_orch.worker.link import ProtocolError, make_memfd
from gst_orch.worker.wire import Reader, Writer

TEXT = "text/x-raw, format=(string)utf8"
JSON = "application/json"
RGB = "video/x-raw, format=(string)RGB, width=(int)%d, height=(int)%d, framerate=(fraction)0/1"


def texts(*values):
    return [(TEXT, value.encode()) for value in values]


def decode(value):
    _, caps, buffer = value
    return Decoder().decode(buffer, caps.encode())


class Values(unittest.TestCase):
    def run_one(self, function, caps, data):
        with Call(function) as call:
            self.assertIsNone(call.hear_ready())
            outcomes, error = call.run([(caps, data)])
            self.assertIsNone(error)
            self.assertEqual(list(outcomes), [0])
            return outcomes[0]

    def test_identity_is_a_word(self):
        frame = bytes(range(256)) * 588
        for caps, data in ((TEXT, b"a"), (RGB % (224, 224), frame), (None, b"x"), ("a/b", b"x"),
                           (make_tensor_caps((2, 3), numpy.dtype("u1")), b"123456")):
            outcome = self.run_one("Identity", caps, data)
            (output, said, value), = outcome.values
            self.assertEqual((output, value), (0, 0))
            # Caps that are as they were need not be said, unless there are none.
            self.assertEqual(said, None if caps else "application/octet-stream")

    def test_json_is_written_anew(self):
        value = {"b": [1, None], "ü": 1.5}
        outcome = self.run_one("Identity", JSON, json.dumps(value).encode())
        self.assertEqual(decode(outcome.values[0]), value)

    def test_arrays(self):
        seed = int(os.environ.get("ORCH_RANDOM_SEED", random.randrange(1 << 30)))
        print("ORCH_RANDOM_SEED=%d" % seed)
        rng = random.Random(seed)
        with Call("Mirror") as call:
            self.assertIsNone(call.hear_ready())
            for _ in range(60):
                dtype = numpy.dtype(rng.choice(["u1", "i2", "u4", "i8", "f2", "f4", "f8"]))
                shape = tuple(rng.choice([0, 1, 2, 3, 7, 16, 61])
                              for _ in range(rng.randrange(2, 5)))
                array = numpy.frombuffer(rng.randbytes(int(numpy.prod(shape)) * dtype.itemsize),
                                         dtype).reshape(shape)
                outcomes, error = call.run([(make_tensor_caps(shape, dtype), array.tobytes())])
                self.assertIsNone(error)
                made = decode(outcomes[0].values[0])
                self.assertEqual((made.shape, made.dtype), (shape, dtype))
                self.assertEqual(made.tobytes(), array[:, ::-1].tobytes(), (shape, dtype))

    def test_frames_of_odd_widths(self):
        with Call("Mirror") as call:
            self.assertIsNone(call.hear_ready())
            for width in (1, 2, 3, 5, 101):
                stride = (3 * width + 3) // 4 * 4
                rows = numpy.arange(70 * stride, dtype="u4").astype("u1").reshape(70, stride)
                outcomes, _ = call.run([(RGB % (width, 70), rows.tobytes())])
                output, caps, buffer = outcomes[0].values[0]
                self.assertEqual(Caps(caps).get("width"), width)
                self.assertEqual(len(buffer.get_view()), 70 * stride)
                self.assertTrue((decode((output, caps, buffer))
                                 == rows[:, :3 * width].reshape(70, width, 3)[:, ::-1]).all())

    def test_what_is_not_what_it_says(self):
        with Call("Identity") as call:
            self.assertIsNone(call.hear_ready())
            outcomes, error = call.run([(TEXT, b"\xff"), (JSON, b"{"), (RGB % (5, 5), b"x"),
                                        (TEXT, b"good"), (JSON, b"[" * 100000)])
        self.assertIsNone(error)
        self.assertEqual([outcomes[i].cause and outcomes[i].cause[:2] for i in range(5)],
                         [("python", "not-utf8"), ("python", "not-json"), ("python", "misfit"),
                          None, ("python", "not-json")])

    def test_nothing_to_do(self):
        with Call("Identity") as call:
            self.assertIsNone(call.hear_ready())
            self.assertEqual(call.run([]), ({}, None))
            # All of them are unreadable: run is not called.
            outcomes, error = call.run([(TEXT, b"\xff")] * 3)
            self.assertEqual((len(outcomes), error), (3, None))

    def test_large_messages(self):
        with Call("Upper") as call:
            self.assertIsNone(call.hear_ready())
            units = texts(*[("%05d" % i) * 100 for i in range(2000)])
            outcomes, error = call.run(units)
            self.assertIsNone(error)
            self.assertEqual([decode(outcomes[i].values[0]) for i in range(2000)],
                             [data.decode() for _, data in units])
            big = "ü" * 300000
            outcomes, error = call.run(texts(big, "b"))
            self.assertEqual(decode(outcomes[0].values[0]), big.upper())

    def test_raised_in_a_batch(self):
        with Call("Deeds") as call:
            self.assertIsNone(call.hear_ready())
            outcomes, error = call.run(texts("a", "raise_record", "raise_drop", "b"))
            self.assertIsNone(error)
            self.assertEqual([outcomes[i].kind for i in range(4)], [1, 3, 2, 1])
            outcomes, error = call.run(texts("a", "raise"))
            self.assertEqual(outcomes, {})
            self.assertIn("ValueError: it is so", error)
            self.assertLess(len(error), 2500)
            self.assertTrue(call.run(texts("group"))[0][0].group)


    def test_what_cannot_leave(self):
        """It fails alone, and is told why."""
        with Call("Deeds") as call:
            self.assertIsNone(call.hear_ready())
            outcomes, error = call.run(texts("caps", "caps_number", "caps_field", "a",
                                             "info_number"))
        self.assertIsNone(error)
        self.assertEqual([outcomes[i].cause and outcomes[i].cause[1] for i in range(5)],
                         ["value", "value", "value", None, "value"])
        for place, words in ((0, "'no caps ,,' is not"), (1, "5 is not"), (2, "=(int)x' is not"),
                             (4, "5 is none")):
            self.assertIn(words, outcomes[place].cause[2])

    def test_more_than_arrays(self):
        with Call("Arrays") as call:
            self.assertIsNone(call.hear_ready())
            outcomes, error = call.run(texts("of_class", "masked"))
        self.assertIsNone(error)
        self.assertTrue((decode(outcomes[0].values[0])
                         == numpy.arange(30000).reshape(100, 300)).all())
        self.assertIn("use filled()", outcomes[1].cause[2])

    def test_outcomes_in_lists(self):
        with Call("Deeds") as call:
            self.assertIsNone(call.hear_ready())
            (_, _, buffer), = call.run(texts("classes"))[0][0].values
        self.assertEqual([element.outcome for element in buffer.list], [2, 3, 1])

    def test_nothing_stays_open(self):
        """Of a batch that failed when some of it was written."""
        with Call("Deeds") as call:
            self.assertIsNone(call.hear_ready())
            counts = []
            for _ in range(3):
                _, error = call.run(texts("big", "unreadable"))
                self.assertIn("no array", error)
                # It is done with the message before it begins with the next.
                call.run(texts("a"))
                counts.append(len(os.listdir(f"/proc/{call.pid}/fd")))
            self.assertEqual(len(set(counts)), 1, counts)


class Course(unittest.TestCase):
    def test_unwanted(self):
        with Call("Sizes") as call:
            self.assertIsNone(call.hear_ready())
            os.pwrite(call.control, b"\1", 65536 + 64 + 1)
            call.send_batch(texts("a", "b", "c"), tag=1)
            outcomes, error = call.hear_batch()
            self.assertEqual((sorted(outcomes), error), ([0, 2], None))
            self.assertEqual(decode(outcomes[0].values[0]), "2")
            # The other half is another batch's.
            self.assertEqual(sorted(call.run(texts("a", "b", "c"))[0]), [0, 1, 2])

    def test_cancelled(self):
        with Call("Sizes") as call:
            self.assertIsNone(call.hear_ready())
            os.pwrite(call.control, b"\1", 0)
            self.assertEqual(call.run(texts("a", "b")), ({}, None))

    def test_quit(self):
        with Call("Identity") as call:
            self.assertIsNone(call.hear_ready())
            call.send(Say.QUIT)
            self.assertEqual(call.wait(), 0)

    def test_ends_with_the_call(self):
        for deed in ("spin", "sleep"):
            with Call("Deeds") as call:
                self.assertIsNone(call.hear_ready())
                call.send_batch(texts(deed))
                call.speak.close()
                self.assertEqual(call.wait(), 1)

    def test_another_version(self):
        with Call("Identity") as call:
            self.assertIsNone(call.hear_ready())
            call.inbox.send(bytes(20))
            with self.assertRaises(Closed):
                call.hear()
            self.assertEqual(call.wait(), 1)
            self.assertIn(b"another version", os.read(call.errors, 65536))

    def test_properties(self):
        with Call("Upper") as call:
            self.assertIsNone(call.hear_ready())
            for kwargs, result in (('{"times": 2}', "AA"), ('{"times": 3}', "AAA")):
                writer = Writer()
                call.put_properties(writer, {"run-kwargs": kwargs})
                call.send(Say.PROPERTIES, writer)
                self.assertEqual(decode(call.run(texts("a"))[0][0].values[0]), result)


class Arenas(unittest.TestCase):
    """Memory that the Call fills again and again."""

    CAPS = make_tensor_caps((20000,), numpy.dtype("u1"))

    def run_two(self, function):
        arena = make_memfd()
        self.addCleanup(os.close, arena)
        os.ftruncate(arena, 100000)
        said = []
        with Call(function) as call:
            self.assertIsNone(call.hear_ready())
            for byte in (1, 2):
                outcomes, error = call.run([(self.CAPS, bytes([byte]) * 20000)], reused=arena)
                self.assertIsNone(error)
                said.append((decode(outcomes[0].values[0]), call.is_let_go))
        return said

    def test_let_go(self):
        self.assertEqual(self.run_two("Sum"), [("20000", True), ("40000", True)])

    def test_kept(self):
        # What is kept is not to be filled again: here it is, so that it shows.
        self.assertEqual(self.run_two("Keep"), [("20000", False), ("40000 40000", False)])

    def test_another_size(self):
        arena = make_memfd()
        self.addCleanup(os.close, arena)
        with Call("Sum") as call:
            self.assertIsNone(call.hear_ready())
            for n in (20000, 2000000, 30000):
                outcomes, _ = call.run([(make_tensor_caps((n,), numpy.dtype("u1")),
                                         b"\1" * n)], reused=arena)
                self.assertEqual(decode(outcomes[0].values[0]), str(n))

    def test_after_a_failure(self):
        arena = make_memfd()
        self.addCleanup(os.close, arena)
        with Call("Deeds") as call:
            self.assertIsNone(call.hear_ready())
            for deed in ("raise", "raise_record", "a"):
                call.run([(TEXT, deed.encode()), (TEXT, b"a" * 20000)], reused=arena)
                self.assertTrue(call.is_let_go, deed)


class Environments(unittest.TestCase):
    def make_environment(self, *options):
        folder = tempfile.TemporaryDirectory(prefix="orch-venv-")
        self.addCleanup(folder.cleanup)
        done = subprocess.run([sys.executable, "-m", "venv", "--without-pip", *options,
                               folder.name], capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest("no virtual environment can be made: " + done.stderr)
        return folder.name

    def test_without_numpy(self):
        folder = self.make_environment()
        with Call("Identity", python=os.path.join(folder, "bin", "python")) as call:
            text = call.hear_ready()
            for part in ("NumPy", folder, "pip install numpy", "property python"):
                self.assertIn(part, text)
            self.assertEqual(call.wait(), 1)

    def test_of_its_own(self):
        folder = self.make_environment("--system-site-packages")
        with Call("Environment", python=os.path.join(folder, "bin", "python")) as call:
            self.assertIsNone(call.hear_ready())
            self.assertEqual(decode(call.run(texts("a"))[0][0].values[0]), folder)


class Wire(unittest.TestCase):
    VALUE = {"i": -5, "big": 1 << 40, "huge": (1 << 64) - 1, "f": 0.5, "b": True, "s": "ü",
             "list": ["a", ""], "numbers": [1, 2.5], "deep": {"x": [{"y": 1}]}}

    def test_values(self):
        writer = Writer()
        writer.structure("info", self.VALUE)
        self.assertEqual(Reader(bytes(writer.data)).structure(),
                         ("info", dict(self.VALUE, numbers=[1.0, 2.5])))

    def test_what_has_no_place(self):
        for value in (object(), 1 << 70, [1, "a"], {"x": None}, [True, 1]):
            with self.assertRaises(TypeError):
                Writer().value(value)

    def test_truncated(self):
        writer = Writer()
        writer.structure("info", self.VALUE)
        for size in range(len(writer.data)):
            with self.assertRaises(ProtocolError):
                Reader(bytes(writer.data[:size])).structure()

    def test_caps(self):
        caps = Caps('video/x-raw(memory:SystemMemory), format=(string){ RGB, "B;,GR" }, '
                    'width=(int)5, a=(string)"x\\,\\ \\"y\\"", r=(int)[ 1, 5 ], '
                    'f=(fraction)30/1, b=(boolean)true, d=(double)0.5, z=last')
        self.assertEqual(caps.name, "video/x-raw")
        self.assertEqual(caps.fields, {"width": 5, "a": 'x, "y"', "f": "30/1", "b": True,
                                       "d": 0.5, "z": "last"})
        self.assertEqual(Caps("a/b, x=(string)" + quote("ü;,")).get("x"), "ü;,")
        self.assertEqual(Caps("ANY").fields, {})
        for text, is_whole in ((caps.text, True), ("ANY", True), ("a/b; c/d", True), ("a b", False),
                               ("", False), ("a/b, ", False), ("a/b, x", False)):
            self.assertEqual(Caps(text).is_whole, is_whole, text)


if __name__ == "__main__":
    unittest.main()
