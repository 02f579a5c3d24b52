#!/usr/bin/env python3
"""Derives the collation and case tables of the room `types` by asking a MariaDB 10.11 server.

usage: scripts/collation_tables.py SOCKET   (writes floors/1/types/src/charset/data/*.bin)

Every table is observed with WEIGHT_STRING, UPPER and LOWER over all code points. Formats, little-endian:

  pages (*.map.bin): u8 page number for each 256 code points from 0 on (0 = every character maps to itself), count
      given by a leading u16; then the pages 1.., each 256 u16: the low 16 bits of the image.
  bytes (latin1_*.bin): 256 bytes.
  uca (*.uca.bin): u16 number of page slots, u16 per slot (0 = every character follows the implicit rule), then u32
      number of pages, the pages (256 u32 each: offset into the pool << 4 | number of weights; 0xFFFFFFFF = implicit),
      u32 pool length in weights, the pool (u16).
"""
import os
import struct
import subprocess
import sys

OUT = os.path.join(os.path.dirname(__file__), "..", "floors/1/types/src/charset/data")


def query(socket, sql):
    run = ["mariadb", "-S", socket, "-uroot", "-N", "--quick", "--default-character-set=utf8mb4", "mysql", "-e", sql]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.split("\n")


def per_code_point(socket, expression, last):
    """expression over `c`, a utf32 character; answers {code point: hex text}."""
    rows = {}
    for start in range(0, last + 1, 0x10000):
        end = min(start + 0xFFFF, last)
        c = "convert(unhex(lpad(hex(seq),8,'0')) using utf32)"
        sql = f"select seq, hex({expression.replace('$c', c)}) from seq_{start}_to_{end}"
        for line in query(socket, sql):
            if line:
                code, text = line.split("\t")
                rows[int(code)] = text
    return rows


def write_pages(name, images, slots):
    index, pages = bytearray(), []
    for slot in range(slots):
        page = [images.get(slot * 256 + i, slot * 256 + i) & 0xFFFF for i in range(256)]
        if all(w == (slot * 256 + i) & 0xFFFF for i, w in enumerate(page)):
            index.append(0)
            continue
        if page not in pages:
            pages.append(page)
        index.append(pages.index(page) + 1)
    with open(os.path.join(OUT, name), "wb") as f:
        f.write(struct.pack("<H", slots) + bytes(index))
        for page in pages:
            f.write(struct.pack("<256H", *page))


def implicit(code):
    if 0x3400 <= code <= 0x4DB5:
        base = 0xFB80
    elif 0x4E00 <= code <= 0x9FA5:
        base = 0xFB40
    else:
        base = 0xFBC0
    return [base + (code >> 15), (code & 0x7FFF) | 0x8000]


def weights_of(text):
    return [int(text[i : i + 4], 16) for i in range(0, len(text), 4)]


def write_uca(name, rows):
    slots = (max(rows) >> 8) + 1
    pool, places, pages, index = [], {}, [], []
    for slot in range(slots):
        page = []
        for i in range(256):
            code = slot * 256 + i
            weights = weights_of(rows[code]) if code in rows else implicit(code)
            if weights == implicit(code):
                page.append(0xFFFFFFFF)
                continue
            key = tuple(weights)
            if key not in places:
                places[key] = len(pool)
                pool.extend(weights)
            page.append(places[key] << 4 | len(weights))
        if all(entry == 0xFFFFFFFF for entry in page):
            index.append(0)
        else:
            if page not in pages:
                pages.append(page)
            index.append(pages.index(page) + 1)
    with open(os.path.join(OUT, name), "wb") as f:
        f.write(struct.pack("<H", slots) + struct.pack(f"<{slots}H", *index) + struct.pack("<I", len(pages)))
        for page in pages:
            f.write(struct.pack("<256I", *page))
        f.write(struct.pack("<I", len(pool)) + struct.pack(f"<{len(pool)}H", *pool))


def byte_weights(socket, collation):
    charset = collation.split("_")[0]
    parts = [f"hex(weight_string(_{charset} 0x{b:02X} collate {collation}))" for b in range(256)]
    return query(socket, "select " + ",".join(parts))[0].split("\t")


def main():
    socket = sys.argv[1]
    os.makedirs(OUT, exist_ok=True)
    general = per_code_point(socket, "weight_string($c collate utf32_general_ci)", 0xFFFF)
    write_pages("general_ci.map.bin", {c: int(t, 16) for c, t in general.items() if len(t) == 4}, 256)
    for name in ("upper", "lower"):
        for suffix, collation in (("", "utf32_general_ci"), ("_520", "utf32_unicode_520_ci")):
            rows = per_code_point(socket, f"{name}($c collate {collation})", 0x1FFFF)
            write_pages(f"{name}{suffix}.map.bin", {c: int(t, 16) for c, t in rows.items() if len(t) == 8}, 512)
    for collation in ("latin1_swedish_ci", "latin1_german1_ci", "latin1_danish_ci", "latin1_general_ci",
                      "latin1_general_cs", "latin1_spanish_ci"):
        values = byte_weights(socket, collation)
        assert all(len(v) == 2 for v in values), (collation, [v for v in values if len(v) != 2])
        with open(os.path.join(OUT, f"{collation}.bin"), "wb") as f:
            f.write(bytes(int(v, 16) for v in values))
    for name in ("upper", "lower"):
        parts = [f"hex({name}(_latin1 0x{b:02X}))" for b in range(256)]
        values = query(socket, "select " + ",".join(parts))[0].split("\t")
        with open(os.path.join(OUT, f"latin1_{name}.bin"), "wb") as f:
            f.write(bytes(int(v, 16) for v in values))
    for name, collation, last in (("unicode_400", "utf32_unicode_ci", 0xFFFF),
                                  ("unicode_520", "utf32_unicode_520_ci", 0x10FFFF)):
        write_uca(f"{name}.uca.bin", per_code_point(socket, f"weight_string($c collate {collation})", last))


if __name__ == "__main__":
    main()
