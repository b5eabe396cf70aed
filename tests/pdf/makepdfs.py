#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors
"""Small PDF files for tests, good and bad ones: the same bytes every time.

    makepdfs.py OUTDIR [NAMES...]     writes OUTDIR/NAME.pdf (default: all)
    makepdfs.py --list                names, one a line, each with what it is
    makepdfs.py --outputs             names of the files, on one line
    makepdfs.py --text PAGES WORDS FILE    a document of PAGES x WORDS words

Other tests and tools import it for text_document().
"""

import hashlib
import os
import sys
import zlib

LETTER = (0, 0, 612, 792)
WORDS = ("order page line grain batch reduce expand parent child ordinal "
         "domain entity outcome cause replica buffer river stone paper light "
         "winter summer garden window market bridge harbour engine signal "
         "measure").split()


class Pdf:
    """Collects numbered objects and writes them with a cross-reference table."""

    def __init__(self):
        self.objects = {}
        self.last = 0
        self.trailer = ""

    def reserve(self):
        self.last += 1
        return self.last

    def add(self, body, number=None):
        number = number or self.reserve()
        self.objects[number] = body if isinstance(body, bytes) else body.encode("latin-1")
        return number

    def add_stream(self, data, entries="", number=None):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        head = f"<< {entries} /Length {len(data)} >>\nstream\n"
        return self.add(head.encode("latin-1") + data + b"\nendstream", number)

    def add_flate(self, data, entries="", number=None):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        return self.add_stream(zlib.compress(data, 9), f"/Filter /FlateDecode {entries}", number)

    def build(self, root, transform=None):
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = {}
        for number in sorted(self.objects):
            offsets[number] = len(out)
            body = self.objects[number]
            if transform:
                body = transform(number, body)
            out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n" % (self.last + 1)
        out += b"0000000000 65535 f \n"
        for number in range(1, self.last + 1):
            if number in offsets:
                out += b"%010d 00000 n \n" % offsets[number]
            else:
                out += b"0000000000 00000 f \n"
        trailer = f"trailer\n<< /Size {self.last + 1} /Root {root} 0 R {self.trailer} >>\n"
        out += trailer.encode("latin-1") + b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


def escape(text):
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def text_content(lines, size=12, top=720):
    ops = [f"BT /F1 {size} Tf {size * 1.2:g} TL 72 {top} Td"]
    ops += [f"({escape(line)}) Tj T*" for line in lines]
    return "\n".join(ops + ["ET"])


class Tree:
    """A document with a flat page tree whose parts a test may bend."""

    def __init__(self, title=None):
        self.pdf = Pdf()
        self.catalog = self.pdf.reserve()
        self.pages = self.pdf.reserve()
        self.font = self.pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        self.kids = []
        self.catalog_entries = ""
        self.pages_entries = ""
        if title:
            info = self.pdf.add(f"<< /Title ({escape(title)}) >>")
            self.pdf.trailer = f"/Info {info} 0 R"

    def resources(self, more=""):
        return f"/Resources << /Font << /F1 {self.font} 0 R >> {more} >>"

    def add_page(self, content, box=LETTER, entries="", resources="", number=None):
        """content: text of the page, or the object number of its stream."""
        if not isinstance(content, int):
            content = self.pdf.add_flate(content)
        page = self.pdf.add(
            f"<< /Type /Page /Parent {self.pages} 0 R "
            f"/MediaBox [{' '.join(f'{v:g}' for v in box)}] "
            f"/Contents {content} 0 R {self.resources(resources)} {entries} >>", number)
        self.kids.append(f"{page} 0 R")
        return page

    def build(self, count=None, transform=None):
        count = len(self.kids) if count is None else count
        self.pdf.add(f"<< /Type /Pages /Kids [{' '.join(self.kids)}] /Count {count} "
                     f"{self.pages_entries} >>", self.pages)
        self.pdf.add(f"<< /Type /Catalog /Pages {self.pages} 0 R {self.catalog_entries} >>",
                     self.catalog)
        return self.pdf.build(self.catalog, transform)


def page_words(page, count, seed=1):
    """The words of page `page` (1-based) of text_document()."""
    state = (seed * 1000003 + page * 7919) & 0x7fffffff
    words = ["page", str(page)]
    while len(words) < count:
        state = (state * 1103515245 + 12345) & 0x7fffffff
        words.append(WORDS[(state >> 16) % len(WORDS)])
    return words[:count]


def text_document(pages, words=20, size=12, seed=1, title=None):
    """A document of `pages` pages with `words` words each, as bytes."""
    tree = Tree(title)
    for number in range(1, pages + 1):
        listed = page_words(number, words, seed)
        lines = [" ".join(listed[i:i + 8]) for i in range(0, len(listed), 8)]
        tree.add_page(text_content(lines, size))
    return tree.build()


def simple_page(tree, number):
    return tree.add_page(text_content([f"This is page {number}"], 24))


# ---- good files ----

def one_page():
    """one page with a line of text"""
    tree = Tree("One page")
    tree.add_page(text_content(["Hello orch"], 24))
    return tree.build()


def three_pages():
    """three pages with a line of text each"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    return tree.build()


def five_hundred_pages():
    """500 pages of 20 words"""
    return text_document(500)


def mixed_sizes():
    """pages of 200x100, 612x792, 1191x842 and 595.276x841.89 points"""
    tree = Tree()
    for number, size in enumerate([(200, 100), (612, 792), (1191, 842), (595.276, 841.89)], 1):
        tree.add_page(text_content([f"This is page {number}"], 12, 50), (0, 0) + size)
    return tree.build()


def rotated():
    """four 300x200 pages, rotated by 0, 90, 180 and (inherited) 270 degrees"""
    tree = Tree()
    mark = "0 0 0 rg 10 10 40 20 re f"
    tree.pages_entries = "/Rotate 270"
    for angle in (0, 90, 180):
        tree.add_page(mark, (0, 0, 300, 200), f"/Rotate {angle}")
    tree.add_page(mark, (0, 0, 300, 200))
    return tree.build()


def cropped():
    """612x792 media box, crop box 100 200 300 500, a black square inside it"""
    tree = Tree()
    tree.add_page("0 g 100 200 50 50 re f 0.5 g 0 0 90 190 re f", LETTER,
                  "/CropBox [100 200 300 500]")
    return tree.build()


def labelled():
    """four pages labelled i, ii, 1, A-2"""
    tree = Tree("Labels")
    tree.catalog_entries = ("/PageLabels << /Nums [0 << /S /r >> 2 << /S /D >> "
                            "3 << /S /D /P (A-) /St 2 >>] >>")
    for number in (1, 2, 3, 4):
        simple_page(tree, number)
    return tree.build()


def nested_tree():
    """five pages in a tree of three levels"""
    tree = Tree()
    for number in (1, 2, 3, 4, 5):
        simple_page(tree, number)
    left, right, inner = (tree.pdf.reserve() for _ in range(3))
    kids = tree.kids
    for node, parent, below, count in ((left, tree.pages, kids[:2], 2),
                                       (right, tree.pages, [kids[2], f"{inner} 0 R"], 3),
                                       (inner, right, kids[3:], 2)):
        tree.pdf.add(f"<< /Type /Pages /Parent {parent} 0 R /Kids [{' '.join(below)}] "
                     f"/Count {count} >>", node)
    tree.kids = [f"{left} 0 R", f"{right} 0 R"]
    return tree.build(5)


def blank_page():
    """one page whose content paints nothing, and one without content"""
    tree = Tree()
    tree.add_page("q Q BT ET")
    page = tree.pdf.add(f"<< /Type /Page /Parent {tree.pages} 0 R /MediaBox [0 0 612 792] >>")
    tree.kids.append(f"{page} 0 R")
    return tree.build()


def image_only():
    """a page that is one grey image: no text, and that is right"""
    tree = Tree()
    image = tree.pdf.add_flate(bytes((x * y) % 251 for y in range(64) for x in range(64)),
                               "/Type /XObject /Subtype /Image /Width 64 /Height 64 "
                               "/ColorSpace /DeviceGray /BitsPerComponent 8")
    tree.add_page("q 612 0 0 792 0 0 cm /Im Do Q", resources=f"/XObject << /Im {image} 0 R >>")
    return tree.build()


def colours():
    """red, green, blue, grey and half-transparent squares"""
    tree = Tree()
    half = tree.pdf.add("<< /Type /ExtGState /ca 0.5 >>")
    tree.add_page("1 0 0 rg 0 0 50 50 re f 0 1 0 rg 50 0 50 50 re f 0 0 1 rg 0 50 50 50 re f "
                  "0.5 g 50 50 50 50 re f /Half gs 0 g 25 25 50 50 re f", (0, 0, 100, 100),
                  resources=f"/ExtGState << /Half {half} 0 R >>")
    return tree.build()


def junk_around():
    """900 bytes of junk before %PDF, 80 kB of zeros behind %%EOF"""
    return b"junk \x01\x02\xff" * 100 + b"\n" * 100 + one_page() + bytes(80000)


def object_streams():
    """three pages whose objects are in an object stream (PDF 1.5)"""
    tree = Tree("Object stream")
    for number in (1, 2, 3):
        simple_page(tree, number)
    tree.build()
    return compress_objects(tree.pdf, tree.catalog)


def compress_objects(pdf, root):
    packed = [n for n in sorted(pdf.objects) if b"stream" not in pdf.objects[n]]
    head, body = [], b""
    for number in packed:
        head.append(f"{number} {len(body)}")
        body += pdf.objects[number] + b"\n"
    index = (" ".join(head) + " ").encode("latin-1")
    container = pdf.add_flate(index + body,
                              f"/Type /ObjStm /N {len(packed)} /First {len(index)}")
    out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    rows = {0: (0, 0, 255)}
    rows.update({n: (2, container, i) for i, n in enumerate(packed)})
    for number in sorted(set(pdf.objects) - set(packed)):
        rows[number] = (1, len(out), 0)
        out += b"%d 0 obj\n" % number + pdf.objects[number] + b"\nendobj\n"
    xref = pdf.reserve()
    rows[xref] = (1, len(out), 0)
    data = b"".join(bytes([rows[n][0]]) + rows[n][1].to_bytes(4, "big") + bytes([rows[n][2]])
                    for n in range(xref + 1))
    packed_data = zlib.compress(data, 9)
    head = (f"{xref} 0 obj\n<< /Type /XRef /Size {xref + 1} /W [1 4 1] /Root {root} 0 R "
            f"/Filter /FlateDecode /Length {len(packed_data)} {pdf.trailer} >>\nstream\n")
    start = len(out)
    out += head.encode("latin-1") + packed_data + b"\nendstream\nendobj\n"
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def object_streams_and_zeros():
    """as object-streams, with 80 kB of zeros behind %%EOF"""
    return object_streams() + bytes(80000)


def user_unit():
    """8.5 x 11 MediaBox with UserUnit 72: a letter page in inches"""
    tree = Tree()
    tree.add_page("BT /F1 0.5 Tf 1 9 Td (Inches) Tj ET", (0, 0, 8.5, 11), "/UserUnit 72")
    return tree.build()


def gbk_font():
    """Chinese text in a font that is not embedded, encoded in GBK"""
    tree = Tree()
    descriptor = tree.pdf.add(
        "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] "
        "/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>")
    cid = tree.pdf.add(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> "
        f"/FontDescriptor {descriptor} 0 R >>")
    tree.font = tree.pdf.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-GBK-EUC-H "
        f"/Encoding /GBK-EUC-H /DescendantFonts [{cid} 0 R] >>")
    text = "中文文本".encode("gbk").hex()
    tree.add_page(f"BT /F1 48 Tf 72 600 Td <{text}> Tj ET")
    return tree.build()


# ---- encrypted files ----

PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def rc4(key, data):
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


def rc4_rounds(key, data):
    for step in range(20):
        data = rc4(bytes(b ^ step for b in key), data)
    return data


def encrypt(tree, user, owner):
    """128-bit RC4 (V 2, R 3) over streams; the files have no strings to hide."""
    identifier = hashlib.md5(b"gst-orch").digest()
    permissions = (-4).to_bytes(4, "little", signed=True)

    def padded(password):
        return (password.encode("latin-1") + PAD)[:32]

    key = padded(owner)
    for _ in range(51):
        key = hashlib.md5(key).digest()
    owner_entry = rc4_rounds(key, padded(user))
    key = hashlib.md5(padded(user) + owner_entry + permissions + identifier).digest()
    for _ in range(50):
        key = hashlib.md5(key).digest()
    user_entry = rc4_rounds(key, hashlib.md5(PAD + identifier).digest()) + bytes(16)
    number = tree.pdf.add(f"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 "
                          f"/O <{owner_entry.hex()}> /U <{user_entry.hex()}> >>")
    tree.pdf.trailer = f"/Encrypt {number} 0 R /ID [<{identifier.hex()}> <{identifier.hex()}>]"

    def transform(index, body):
        head, mark, rest = body.partition(b"\nstream\n")
        if not mark:
            return body
        data, mark2, tail = rest.rpartition(b"\nendstream")
        salt = index.to_bytes(3, "little") + bytes(2)
        return head + mark + rc4(hashlib.md5(key + salt).digest()[:16], data) + mark2 + tail

    return tree.build(transform=transform)


def encrypted():
    """needs the password "secret" (owner: "owner")"""
    tree = Tree()
    tree.add_page(text_content(["Hello secret"], 24))
    return encrypt(tree, "secret", "owner")


def encrypted_open():
    """encrypted, with an empty user password: anyone may read it"""
    tree = Tree()
    tree.add_page(text_content(["Hello open"], 24))
    return encrypt(tree, "", "owner")


# ---- damaged and hostile files ----

def zero_byte():
    """no bytes at all"""
    return b""


def not_a_pdf():
    """the start of a PNG image"""
    return b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 16


def plain_text():
    """a text file"""
    return b"Dear reader, this is only text.\n" * 50


def truncated():
    """cut in the middle: catalog and pages are there, pages 2 and 3 and the xref are not"""
    data = three_pages_catalog_first()
    return data[:data.index(b"%cut")]


def three_pages_catalog_first():
    tree = Tree()
    simple_page(tree, 1)
    tree.pdf.add("<< /Cut true >>\n%cut")
    simple_page(tree, 2)
    simple_page(tree, 3)
    return tree.build()


def truncated_early():
    """cut within its first object"""
    return one_page()[:40]


def zero_pages():
    """a sound document without any page"""
    return Tree().build()


def damaged_xref():
    """every offset in the cross-reference table is wrong"""
    data = three_pages()
    head, mark, tail = data.rpartition(b"\nxref\n")
    lines = tail.split(b"\n")
    lines = [(b"%010d" % (int(x[:10]) + 7)) + x[10:] if x.endswith(b" n ") else x for x in lines]
    return head + mark + b"\n".join(lines)


def no_startxref():
    """the cross-reference table and the trailer's startxref are gone"""
    data = three_pages()
    table, trailer, end = (data.rindex(x) for x in (b"xref\n0 ", b"trailer", b"startxref"))
    return data[:table] + data[trailer:end]


def huge_number():
    """an object has a number that no variable holds, and the cross-reference table is wrong"""
    return damaged_xref().replace(b"\n4 0 obj", b"\n99999999999999999999 0 obj")


def mutual_forms():
    """a page with text and two forms that draw each other, twice each"""
    tree = Tree()
    one, two = tree.pdf.reserve(), tree.pdf.reserve()
    for mine, other in ((one, two), (two, one)):
        tree.pdf.add_stream("/Other Do /Other Do",
                            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
                            f"/Resources << /XObject << /Other {other} 0 R >> >>", mine)
    tree.add_page(text_content(["Mirrors"], 24) + " /One Do",
                  resources=f"/XObject << /One {one} 0 R >>")
    return tree.build()


def mutual_forms_only():
    """a page that shows nothing but two forms that draw each other"""
    tree = Tree()
    one, two = tree.pdf.reserve(), tree.pdf.reserve()
    for mine, other in ((one, two), (two, one)):
        tree.pdf.add_stream("/Other Do /Other Do",
                            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
                            f"/Resources << /XObject << /Other {other} 0 R >> >>", mine)
    tree.add_page("/One Do", resources=f"/XObject << /One {one} 0 R >>")
    return tree.build()


def endless_forms(levels=12):
    """page 1 is good; page 2 draws forms in many levels, each ten times the next"""
    tree = Tree()
    simple_page(tree, 1)
    below = tree.pdf.add_stream("0 0 1 1 re f", "/Type /XObject /Subtype /Form "
                                "/BBox [0 0 612 792]")
    for _ in range(levels):
        below = tree.pdf.add_stream("/Next Do " * 10, "/Type /XObject /Subtype /Form "
                                    "/BBox [0 0 612 792] "
                                    f"/Resources << /XObject << /Next {below} 0 R >> >>")
    tree.add_page("/Next Do", resources=f"/XObject << /Next {below} 0 R >>")
    return tree.build()


def many_strokes(count):
    """page 1 is good; page 2 draws many lines across the page"""
    tree = Tree()
    simple_page(tree, 1)
    tree.add_page("\n".join(f"{i % 612} 0 m {i * 7 % 612} 792 l S" for i in range(count)))
    return tree.build()


def many_groups(levels):
    """page 1 is good; page 2 has transparent groups in each other, each a picture of its own"""
    tree = Tree()
    simple_page(tree, 1)
    entries = ("/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
               "/Group << /S /Transparency /I true >>")
    half = tree.pdf.add("<< /Type /ExtGState /ca 0.5 >>")
    below = tree.pdf.add_stream("0 0 100 100 re f", entries)
    for _ in range(levels):
        below = tree.pdf.add_stream("/Half gs /Next Do", f"{entries} /Resources << /XObject << "
                                    f"/Next {below} 0 R >> /ExtGState << /Half {half} 0 R >> >>")
    tree.add_page("/Half gs /Next Do", resources=f"/XObject << /Next {below} 0 R >> "
                  f"/ExtGState << /Half {half} 0 R >>")
    return tree.build()


def kids_cycle():
    """page 1 is good, the second kid is the page tree's root; /Count 2"""
    tree = Tree()
    simple_page(tree, 1)
    tree.kids.append(f"{tree.pages} 0 R")
    return tree.build(2)


def shared_node():
    """two kids are the same node of the page tree; /Count 2"""
    tree = Tree()
    simple_page(tree, 1)
    node = tree.pdf.add(f"<< /Type /Pages /Parent {tree.pages} 0 R /Kids [{tree.kids[0]}] "
                        "/Count 1 >>")
    tree.kids = [f"{node} 0 R", f"{node} 0 R"]
    return tree.build(2)


def count_million():
    """/Count 1,000,000 with three kids"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    return tree.build(1000000)


def count_zero():
    """/Count 0 with three kids"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    return tree.build(0)


def count_short():
    """/Count 2 with three kids"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    return tree.build(2)


def direct_kid():
    """the second of three kids is a dictionary in the /Kids array itself"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    number = int(tree.kids[1].split()[0])
    tree.kids[1] = tree.pdf.objects.pop(number).decode("latin-1")
    return tree.build()


def missing_page():
    """three kids, the object of the second does not exist"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    del tree.pdf.objects[int(tree.kids[1].split()[0])]
    return tree.build()


def wrong_kid():
    """three kids, the second is a font"""
    tree = Tree()
    for number in (1, 2, 3):
        simple_page(tree, number)
    tree.kids[1] = f"{tree.font} 0 R"
    return tree.build()


def broken(data):
    """Flate data that breaks off in noise after the header."""
    packed = bytearray(zlib.compress(data.encode("latin-1"), 9))
    for index in range(2, len(packed)):
        packed[index] = 0xff
    return bytes(packed)


def broken_flate():
    """three pages, the content stream of the second is not Flate data"""
    tree = Tree()
    simple_page(tree, 1)
    stream = tree.pdf.add_stream(broken(text_content(["This is page 2"], 24)),
                                 "/Filter /FlateDecode")
    tree.add_page(stream)
    simple_page(tree, 3)
    return tree.build()


def half_broken():
    """one page, two content streams: the first is good, the second broken"""
    tree = Tree()
    good = tree.pdf.add_flate(text_content(["The first half"], 24))
    bad = tree.pdf.add_stream(broken(text_content(["The second half"], 24, 300)),
                              "/Filter /FlateDecode")
    tree.add_page(good)
    page = int(tree.kids[0].split()[0])
    tree.pdf.objects[page] = tree.pdf.objects[page].replace(
        b"/Contents %d 0 R" % good, b"/Contents [%d 0 R %d 0 R]" % (good, bad))
    return tree.build()


def broken_form():
    """one page that draws a form whose stream is broken"""
    tree = Tree()
    form = tree.pdf.add_stream(broken(text_content(["In a form"], 24)),
                               "/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
                               "/Filter /FlateDecode")
    tree.add_page("/Fm Do", resources=f"/XObject << /Fm {form} 0 R >>")
    return tree.build()


def broken_image():
    """one page that is an image whose stream is broken"""
    tree = Tree()
    image = tree.pdf.add_stream(broken("x" * 4096),
                                "/Type /XObject /Subtype /Image /Width 64 /Height 64 "
                                "/ColorSpace /DeviceGray /BitsPerComponent 8 "
                                "/Filter /FlateDecode")
    tree.add_page("q 612 0 0 792 0 0 cm /Im Do Q", resources=f"/XObject << /Im {image} 0 R >>")
    return tree.build()


def missing_contents():
    """one page whose content stream does not exist"""
    tree = Tree()
    stream = tree.pdf.reserve()
    tree.add_page(stream)
    return tree.build()


def broken_font():
    """a line in Helvetica and one in an embedded font that is no font"""
    tree = Tree()
    data = tree.pdf.add_flate(bytes([0, 1, 0, 0, 0, 9]) + b"no tables here " * 20)
    descriptor = tree.pdf.add(
        "<< /Type /FontDescriptor /FontName /ABCDEF+Broken /Flags 32 "
        "/FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 "
        f"/StemV 80 /FontFile2 {data} 0 R >>")
    bad = tree.pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Broken /FirstChar 32 /LastChar 126 "
        f"/Widths [{'500 ' * 95}] /Encoding /WinAnsiEncoding /FontDescriptor {descriptor} 0 R >>")
    page = tree.add_page(text_content(["Good font"], 24)
                         + " BT /F2 24 Tf 72 300 Td (Bad font) Tj ET")
    tree.pdf.objects[page] = tree.pdf.objects[page].replace(
        b"/Font << ", b"/Font << /F2 %d 0 R " % bad)
    return tree.build()


def type3_text(names):
    tree = Tree()
    glyph = tree.pdf.add_stream("500 0 0 0 500 500 d1 0 0 400 500 re f")
    procedures = " ".join(f"/{name} {glyph} 0 R" for name in sorted(set(names)))
    tree.font = tree.pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 500] "
        "/FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 /LastChar 2 /Widths [500 500] "
        f"/Encoding << /Type /Encoding /Differences [1 /{' /'.join(names)}] >> "
        f"/CharProcs << {procedures} >> /Resources << >> >>")
    tree.add_page("BT /F1 24 Tf 72 600 Td <01020102> Tj ET")
    return tree.build()


def control_text():
    """text in a Type 3 font whose glyph names mean nothing: control characters come out"""
    return type3_text(["glyphA", "glyphB"])


def unmapped_text():
    """text in a Type 3 font without glyph names: nothing comes out"""
    return type3_text([".notdef", ".notdef"])


def huge_page():
    """a page of 144,000 x 144,000 points with a black square of a quarter of it"""
    tree = Tree()
    tree.add_page("0 g 0 0 72000 72000 re f", (0, 0, 144000, 144000))
    return tree.build()


def long_page():
    """a page of 144,000 x 72 points, its left half black"""
    tree = Tree()
    tree.add_page("0 g 0 0 72000 72 re f", (0, 0, 144000, 72))
    return tree.build()


def wide_image():
    """an image of 40,000 x 64 pixels, its left half black: wider than cairo can draw"""
    tree = Tree()
    image = tree.pdf.add_flate((bytes(20000) + b"\xff" * 20000) * 64,
                               "/Type /XObject /Subtype /Image /Width 40000 /Height 64 "
                               "/ColorSpace /DeviceGray /BitsPerComponent 8")
    form = tree.pdf.add_stream("/Im Do", "/Type /XObject /Subtype /Form /BBox [0 0 1 1] "
                               f"/Resources << /XObject << /Im {image} 0 R >> >>")
    tree.add_page("q 612 0 0 792 0 0 cm /Fm Do Q", resources=f"/XObject << /Fm {form} 0 R >>")
    return tree.build()


def masked_wide_image():
    """the same with a mask, for which there is no way around"""
    tree = Tree()
    entries = ("/Type /XObject /Subtype /Image /Width 40000 /Height 8 /ColorSpace /DeviceGray "
               "/BitsPerComponent 8")
    mask = tree.pdf.add_flate(b"\xff" * 320000, entries)
    image = tree.pdf.add_flate(bytes(320000), f"{entries} /SMask {mask} 0 R")
    tree.add_page("q 612 0 0 792 0 0 cm /Im Do Q", resources=f"/XObject << /Im {image} 0 R >>")
    return tree.build()


def pack_zeros(blocks, size):
    """What zlib.compress() might make of `blocks` x `size` zeros, without having them."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(size)) + packer.flush(zlib.Z_FULL_FLUSH)
    check = (blocks * size % 65521) << 16 | 1
    return b"\x78\xda" + block * blocks + b"\x03\x00" + check.to_bytes(4, "big")


def huge_image():
    """an image of 30,000 x 30,000 black pixels (900 MB) in about 2 kB"""
    tree = Tree()
    add_huge_image(tree)
    return tree.build()


def bomb():
    """page 1 is good; page 2 is that image"""
    tree = Tree()
    simple_page(tree, 1)
    add_huge_image(tree)
    return tree.build()


def add_huge_image(tree):
    once = pack_zeros(300, 3000000)
    image = tree.pdf.add_stream(zlib.compress(once, 9),
                                "/Type /XObject /Subtype /Image /Width 30000 /Height 30000 "
                                "/ColorSpace /DeviceGray /BitsPerComponent 8 "
                                "/Filter [/FlateDecode /FlateDecode]")
    tree.add_page("q 612 0 0 792 0 0 cm /Im Do Q", resources=f"/XObject << /Im {image} 0 R >>")


FILES = {function.__name__.replace("_", "-"): function for function in (
    one_page, three_pages, five_hundred_pages, mixed_sizes, rotated, cropped, labelled,
    nested_tree, blank_page, image_only, colours, junk_around, object_streams,
    object_streams_and_zeros, user_unit, gbk_font, encrypted, encrypted_open, zero_byte,
    not_a_pdf, plain_text, truncated, truncated_early, zero_pages, damaged_xref, no_startxref,
    huge_number, mutual_forms, mutual_forms_only, kids_cycle, shared_node, count_million, count_zero,
    count_short, direct_kid, missing_page, wrong_kid, broken_flate, half_broken, broken_form,
    broken_image, broken_font, missing_contents, control_text, unmapped_text, huge_page,
    long_page, wide_image, masked_wide_image, huge_image)}


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def main(arguments):
    if arguments == ["--list"]:
        for name, function in FILES.items():
            print(f"{name}: {function.__doc__}")
        return 0
    if arguments == ["--outputs"]:
        print(*(name + ".pdf" for name in FILES))
        return 0
    if len(arguments) == 4 and arguments[0] == "--text":
        write(arguments[3], text_document(int(arguments[1]), int(arguments[2])))
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    unknown = [name for name in arguments[1:] if name not in FILES]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; --list tells the names", file=sys.stderr)
        return 2
    os.makedirs(arguments[0], exist_ok=True)
    for name in arguments[1:] or FILES:
        write(os.path.join(arguments[0], name + ".pdf"), FILES[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
