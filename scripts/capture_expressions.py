#!/usr/bin/env python3
"""Captures what MariaDB answers to expressions: the expectations of floors/5/sql/tests/expressions.rs.

usage: capture_expressions.py SOCKET_OR_PORT < expressions > expectations

Reads one statement a line (an expression without SELECT before it gets one; lines that start with # are copied) and
writes, separated by tabs: the line; then `E number message` where it fails, else for every column
`type/length/decimals/flags/collation`, then every row's values, then the warnings raised. Speaks the protocol itself, for the
exact numbers that no client shows. Lines that differ between two servers are listed by `diff` over two captures.
"""
import socket
import struct
import sys


def lenenc(data, at):
    first = data[at]
    if first < 0xFB:
        return first, at + 1
    if first == 0xFB:
        return None, at + 1
    size = {0xFC: 2, 0xFD: 3, 0xFE: 8}[first]
    return int.from_bytes(data[at + 1:at + 1 + size], "little"), at + 1 + size


def text(data, at):
    size, at = lenenc(data, at)
    return (None, at) if size is None else (data[at:at + size], at + size)


class Connection:
    def __init__(self, where):
        if where.isdigit():
            self.socket = socket.create_connection(("127.0.0.1", int(where)))
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(where)
        self.buffer = b""
        self.packet()
        capabilities = 0x00000200 | 0x00008000 | 0x00080000 | 0x1 | 0x2 | 0x4 | 0x2000
        answer = struct.pack("<IIB23x", capabilities, 1 << 24, 45) + b"root\0" + b"\0" + b"mysql_native_password\0"
        self.send(answer, 1)
        while True:
            answer = self.packet()
            if answer[0] == 0xFE:
                self.send(b"", self.number + 1)
            elif answer[0] == 0xFF:
                raise SystemExit(answer[3:].decode())
            else:
                break

    def send(self, payload, number=0):
        self.socket.sendall(struct.pack("<I", len(payload))[:3] + bytes([number]) + payload)

    def packet(self):
        while len(self.buffer) < 4 or len(self.buffer) < 4 + int.from_bytes(self.buffer[:3], "little"):
            more = self.socket.recv(1 << 16)
            if not more:
                raise SystemExit("connection lost")
            self.buffer += more
        size = int.from_bytes(self.buffer[:3], "little")
        self.number = self.buffer[3]
        payload, self.buffer = self.buffer[4:4 + size], self.buffer[4 + size:]
        return payload

    def query(self, sql):
        """(error, columns, rows, warning count)"""
        self.send(b"\x03" + sql.encode())
        first = self.packet()
        if first[0] == 0xFF:
            return f"E {int.from_bytes(first[1:3], 'little')} {first[9:].decode()}", [], [], 0
        if first[0] == 0:
            at = lenenc(first, lenenc(first, 1)[1])[1]
            return None, [], [], int.from_bytes(first[at + 2:at + 4], "little")
        columns, rows = [], []
        for _ in range(lenenc(first, 0)[0]):
            packet, at = self.packet(), 0
            for _ in range(6):
                _, at = text(packet, at)
            collation, length, kind, flags, decimals = struct.unpack_from("<HIBHB", packet, at + 1)
            columns.append(f"{kind}/{length}/{decimals}/{flags}/{collation}")
        self.packet()
        while True:
            packet = self.packet()
            if packet[0] == 0xFE and len(packet) < 9:
                return None, columns, rows, int.from_bytes(packet[1:3], "little")
            if packet[0] == 0xFF:
                return f"E {int.from_bytes(packet[1:3], 'little')} {packet[9:].decode()}", [], [], 0
            row, at = [], 0
            for _ in columns:
                value, at = text(packet, at)
                row.append(value)
            rows.append(row)


def shown(value):
    if value is None:
        return "NULL"
    plain = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in value)
    return f"'{plain}'"


def main():
    connection = Connection(sys.argv[1])
    for setup in ["SET NAMES utf8mb4", "SET time_zone='+00:00'", "SET timestamp=1600000000.123456"]:
        connection.query(setup)
    for line in sys.stdin:
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            print(line)
            continue
        first = line.split(None, 1)[0].lower()
        verb = first in ("select", "set", "create", "insert", "drop", "use", "update", "delete", "with", "values", "do")
        statement = line if verb and not line.lower().startswith(("insert(", "values(")) else "SELECT " + line
        error, columns, rows, warnings = connection.query(statement)
        fields = [line]
        if error:
            fields.append(error)
        else:
            fields.append(" ".join(columns))
            fields += [" ".join(shown(value) for value in row) for row in rows]
            if warnings:
                _, _, raised, _ = connection.query("SHOW WARNINGS")
                fields += ["W " + " ".join(cell.decode() for cell in row) for row in raised]
        print("\t".join(fields).replace("\n", "\\n"))


main()
