# SPDX-License-Identifier: MIT
"""Writes the matrix of tools/silicon/kernels/spmv_csr.cu as begin.npy and column.npy: spmv_matrix.py ROWS."""
import array
import math
import sys

LONGEST = 2048.0


def uniform(seed):
    """A function of `seed` alone, in (0, 1)."""
    bits = (seed + 1) * 0x9e3779b97f4a7c15 % 2**64
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9 % 2**64
    return (float((bits ^ bits >> 32) >> 12) + 0.5) * 2.0**-52


def length(row):
    root = math.sqrt(uniform(row))
    return int(min(LONGEST, 4 / (root * math.sqrt(root))))


def matrix(rows):
    begin, column = [0], []
    for row in range(rows):
        interval = rows / length(row)
        for k in range(length(row)):
            column.append(min(rows - 1, int((k + uniform(begin[-1] + k + 2**40)) * interval)))
        begin.append(len(column))
    return begin, column


def save(name, values):
    head = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(11 + len(head)) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
        array.array("I", values).tofile(file)


if __name__ == "__main__":
    for name, values in zip(("begin.npy", "column.npy"), matrix(int(sys.argv[1]))):
        save(name, values)
