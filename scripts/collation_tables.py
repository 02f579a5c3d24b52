#!/usr/bin/env python3
"""Derives the collation and case tables of the room `types` by asking a MariaDB 10.11 server.

usage: scripts/collation_tables.py SOCKET   (writes floors/1/types/src/charset/data/*.bin)

Every table is observed with WEIGHT_STRING, UPPER and LOWER over all code points. Formats, little-endian:

  pages (*.map.bin): u8 page number for each 256 code points from 0 on (0 = every character maps to itself), count
      given by a leading u16; then the pages 1.., each 256 u16: the low 16 bits of the image.
  byte_sets.bin: for each character set of one byte a character, in the order of BYTE_SETS: 256 u16 code points (0 = no
      character; several bytes of one code point: the first is written), 256 capitals, 256 small letters.
  byte_weights.bin: 256 weights for each collation of those sets that weighs byte by byte, in the order of
      collations.txt; `_bin` and `nopad` ones have none of their own.
  tailored.bin: what languages weigh otherwise than unicode_ci: for each of LANGUAGES a u16 count of characters and contractions
      in the contractions' form of the uca files.
  latin1_german2_ci.bin: 256 pairs of weights; the second is 0 where there is only one.
  collations.txt: number, name and Sortlen of every collation that these tables (or a rule) cover.
  uca (*.uca.bin): u16 number of pages, u16 slot of each (code point >> 8; characters of other pages follow the implicit
      rule); then the pages: 128 bytes of weight counts, four bits a character, low half first (15 = implicit), and the
      weights (u16) of all its characters; then u16 number of contractions, each u8 number of characters, u8 number of
      weights, the characters (u32), the weights (u16).

Contractions are looked for among the canonical decompositions of all characters and the vowels that are written before
their consonant (Thai, Lao, Tai Viet, New Tai Lue), which is where DUCET has them: a sequence whose weights are not
those of its characters one by one.
"""
import os
import struct
import subprocess
import sys
import unicodedata

OUT = os.path.join(os.path.dirname(__file__), "..", "floors/1/types/src/charset/data")


def query(socket, sql):
    run = ["mariadb", "-S", socket, "-uroot", "-N", "--quick", "--default-character-set=utf8mb4", "mysql"]
    return subprocess.run(run, check=True, capture_output=True, text=True, input=sql + ";").stdout.split("\n")


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


def implicit_400(code):
    if 0x3400 <= code <= 0x4DB5:
        base = 0xFB80
    elif 0x4E00 <= code <= 0x9FA5:
        base = 0xFB40
    else:
        base = 0xFBC0
    return [base + (code >> 15), (code & 0x7FFF) | 0x8000]


EXTENSIONS_1400 = ((0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B738), (0x2B740, 0x2B81D), (0x2B820, 0x2CEA1),
                   (0x2CEB0, 0x2EBE0), (0x30000, 0x3134A))


def implicit_1400(code):
    if 0x4E00 <= code <= 0x9FFF:
        base = 0xFB40
    elif any(first <= code <= last for first, last in EXTENSIONS_1400):
        base = 0xFB80
    else:
        base = 0xFBC0
    return [base + (code >> 15), (code & 0x7FFF) | 0x8000]


def contraction_candidates():
    candidates, composed = set(), {}
    for code in range(0x110000):
        decomposition = unicodedata.decomposition(chr(code))
        if decomposition and not decomposition.startswith("<"):
            parts = tuple(int(part, 16) for part in decomposition.split())
            composed[parts] = code
            candidates.add(parts)
            candidates.add(tuple(map(ord, unicodedata.normalize("NFD", chr(code)))))
    candidates.update((c[0], composed[c[1:]]) for c in list(candidates) if len(c) == 3 and c[1:] in composed)
    for vowels, consonants in (((0xE40, 0xE44), (0xE01, 0xE2E)), ((0xEC0, 0xEC4), (0xE81, 0xEDF)),
                               ((0xAAB5, 0xAABF), (0xAA80, 0xAAAF)), ((0x19B5, 0x19BA), (0x1980, 0x19AB))):
        for vowel in range(vowels[0], vowels[1] + 1):
            candidates.update((vowel, consonant) for consonant in range(consonants[0], consonants[1] + 1))
    return sorted(candidate for candidate in candidates if len(candidate) > 1)


def contractions(socket, collation, rows):
    candidates = contraction_candidates()
    texts = ("".join(f"{code:08X}" for code in candidate) for candidate in candidates)
    sql = "".join(f"select hex(weight_string(_utf32 0x{text} collate {collation}));\n" for text in texts)
    answers = query(socket, sql)
    return [(sequence, weights_of(answer)) for sequence, answer in zip(candidates, answers)
            if answer != "".join(rows[code] for code in sequence)]


def weights_of(text):
    return [int(text[i : i + 4], 16) for i in range(0, len(text), 4)]


def write_uca(name, rows, implicit, contracted):
    pages = []
    for slot in range((max(rows) >> 8) + 1):
        page = []
        for code in range(slot * 256, slot * 256 + 256):
            weights = weights_of(rows[code]) if code in rows else implicit(code)
            page.append(None if weights == implicit(code) else weights)
        if any(weights is not None for weights in page):
            pages.append((slot, page))
    with open(os.path.join(OUT, name), "wb") as f:
        f.write(struct.pack("<H", len(pages)) + b"".join(struct.pack("<H", slot) for slot, _ in pages))
        for _, page in pages:
            counts = [15 if weights is None else len(weights) for weights in page]
            assert all(weights is None or len(weights) < 15 for weights in page)
            f.write(bytes(counts[i] | counts[i + 1] << 4 for i in range(0, 256, 2)))
            for weights in page:
                f.write(struct.pack(f"<{len(weights or [])}H", *(weights or [])))
        f.write(struct.pack("<H", len(contracted)))
        for sequence, weights in contracted:
            f.write(struct.pack("<BB", len(sequence), len(weights)))
            f.write(struct.pack(f"<{len(sequence)}I", *sequence) + struct.pack(f"<{len(weights)}H", *weights))


BYTE_SETS = ("dec8 cp850 hp8 koi8r latin1 latin2 swe7 ascii hebrew koi8u greek cp1250 latin5 armscii8 cp866 keybcs2 "
             "macce macroman cp852 latin7 cp1251 cp1256 cp1257 geostd8").split()
UNICODE_SETS = ("utf8mb3", "utf8mb4", "ucs2", "utf16", "utf16le", "utf32")
# Languages whose collations are unicode_ci with a few characters moved, and pairs of letters that weigh as one.
LANGUAGES = ("icelandic latvian romanian slovenian polish estonian spanish swedish turkish czech danish lithuanian slovak "
             "spanish2 roman persian esperanto hungarian sinhala german2 croatian_mysql561 vietnamese croatian").split()
UNICODE_RULES = tuple(f"{language}_ci" for language in LANGUAGES) + ("general_ci", "bin", "unicode_ci", "unicode_520_ci", "uca1400_ai_ci")
# Collations of several levels, which no table of bytes tells.
COMPLEX = ("latin2_czech_cs", "cp1250_czech_cs")


def write_tailored(socket, base):
    """Pairs of Latin letters, of letters that a language moves, and of letters with combining marks are tried; what
    begins with a pair that weighs as one is tried with a third letter."""
    latin = [code for code in range(0x41, 0x180) if chr(code).isalpha()]
    marks = list(range(0x300, 0x340))

    def weigh(collation, texts):
        sql = "".join(f"select hex(weight_string(_utf32 0x{''.join(f'{c:08X}' for c in t)} collate {collation}));\n"
                      for t in texts)
        return query(socket, sql)[: len(texts)]

    with open(os.path.join(OUT, "tailored.bin"), "wb") as f:
        for language in LANGUAGES:
            collation = f"utf32_{language}_ci"
            rows = per_code_point(socket, f"weight_string($c collate {collation})", 0xFFFF)
            moved = [((code,), weights_of(text)) for code, text in rows.items() if text != base[code]]
            own = sorted({code for (code,), _ in moved})
            letters = sorted(set(latin + own))
            pairs = [(a, b) for a in letters for b in (letters if a < 0x80 or a in own else own) + marks]
            found = []
            while pairs:
                answers = weigh(collation, pairs)
                new = [(pair, weights_of(answer)) for pair, answer in zip(pairs, answers)
                       if answer != "".join(rows[code] for code in pair)]
                # A longer one counts where it is more than its beginning and one letter.
                known = dict(found)
                new = [(pair, weights) for pair, weights in new
                       if weights != known.get(pair[:-1], [0]) + weights_of(rows[pair[-1]])
                       and weights != weights_of(rows[pair[0]]) + known.get(pair[1:], [0])]
                found += new
                pairs = [pair + (c,) for pair, _ in new for c in letters] if len(new) < 40 else []
            entries = moved + found
            print(language, len(moved), len(found))
            f.write(struct.pack("<H", len(entries)))
            for sequence, weights in entries:
                f.write(struct.pack("<BB", len(sequence), len(weights)))
                f.write(struct.pack(f"<{len(sequence)}I", *sequence) + struct.pack(f"<{len(weights)}H", *weights))


def per_byte(socket, expression):
    """expression over `$b`, a hex literal; answers 256 byte strings."""
    row = query(socket, "select " + ",".join(f"hex({expression.replace('$b', f'0x{b:02X}')})" for b in range(256)))
    return [bytes.fromhex(text) for text in row[0].split("\t")]


def write_byte_sets(socket):
    with open(os.path.join(OUT, "byte_sets.bin"), "wb") as f:
        for charset in BYTE_SETS:
            codes = [int.from_bytes(t, "big") for t in per_byte(socket, f"convert(_{charset} $b using utf32)")]
            codes = [0 if code == 0x3F and byte != 0x3F else code for byte, code in enumerate(codes)]
            f.write(struct.pack("<256H", *codes))
            for name in ("upper", "lower"):
                f.write(b"".join(per_byte(socket, f"{name}(_{charset} $b)")))


def write_collations(socket):
    rows = query(socket, "select a.id, a.full_collation_name, a.character_set_name, c.sortlen from "
                 "information_schema.collation_character_set_applicability a join information_schema.collations c "
                 "on a.collation_name = c.collation_name order by a.id")
    listed, weights = [], b""
    for number, name, charset, sortlen in (row.split("\t") for row in rows if row):
        rule = name.removeprefix(charset + "_").replace("nopad_", "")
        unicode = charset in UNICODE_SETS and rule in UNICODE_RULES
        if not (unicode or charset in BYTE_SETS and name not in COMPLEX or name == "binary"):
            continue
        listed.append(f"{number} {name} {sortlen}\n")
        if charset in BYTE_SETS and rule != "bin" and "nopad" not in name:
            values = per_byte(socket, f"weight_string(_{charset} $b collate {name})")
            if name == "latin1_german2_ci":
                with open(os.path.join(OUT, "latin1_german2_ci.bin"), "wb") as f:
                    f.write(b"".join(value.ljust(2, b"\0") for value in values))
                continue
            assert all(len(value) == 1 for value in values), name
            weights += b"".join(values)
    with open(os.path.join(OUT, "collations.txt"), "w") as f:
        f.writelines(listed)
    with open(os.path.join(OUT, "byte_weights.bin"), "wb") as f:
        f.write(weights)


def main():
    socket = sys.argv[1]
    os.makedirs(OUT, exist_ok=True)
    general = per_code_point(socket, "weight_string($c collate utf32_general_ci)", 0xFFFF)
    write_pages("general_ci.map.bin", {c: int(t, 16) for c, t in general.items() if len(t) == 4}, 256)
    for name in ("upper", "lower"):
        for suffix, collation in (("", "utf32_general_ci"), ("_520", "utf32_unicode_520_ci"),
                                  ("_1400", "utf32_uca1400_ai_ci")):
            rows = per_code_point(socket, f"{name}($c collate {collation})", 0x1FFFF)
            write_pages(f"{name}{suffix}.map.bin", {c: int(t, 16) for c, t in rows.items() if len(t) == 8}, 512)
    write_byte_sets(socket)
    write_collations(socket)
    for name, collation, last, implicit in (("unicode_400", "utf32_unicode_ci", 0xFFFF, implicit_400),
                                            ("unicode_520", "utf32_unicode_520_ci", 0x10FFFF, implicit_400),
                                            ("uca_1400", "utf32_uca1400_ai_ci", 0x10FFFF, implicit_1400)):
        rows = per_code_point(socket, f"weight_string($c collate {collation})", last)
        contracted = contractions(socket, collation, rows) if name == "uca_1400" else []
        write_uca(f"{name}.uca.bin", rows, implicit, contracted)
        if name == "unicode_400":
            write_tailored(socket, rows)


if __name__ == "__main__":
    main()
