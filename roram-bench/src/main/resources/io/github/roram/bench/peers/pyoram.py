"""Replays a trace on PyORAM, Path ORAM over an encrypted file: TRACE BLOCKS BLOCK_BYTES DIRECTORY."""
import csv
import json
import os
import struct
import sys
import time

import pyoram
from pyoram.oblivious_storage.tree.path_oram import PathORAM

trace, directory = sys.argv[1], sys.argv[4]
blocks, block_bytes = int(sys.argv[2]), int(sys.argv[3])
pyoram.config.SHOW_PROGRESS_BAR = False
oram = PathORAM.setup(
    os.path.join(directory, "pyoram"),
    block_bytes,
    blocks,
    storage_type="file",
    cached_levels=0)
expected = {}
seconds = 0.0
wrong = 0
with open(trace, newline="") as lines:
    for number, line in enumerate(csv.DictReader(lines), 1):
        first = int(line["offset_bytes"]) // block_bytes
        for block in range(first, first + int(line["length_bytes"]) // block_bytes):
            if line["op"] == "W":
                expected[block] = struct.pack("<QQ", number, block)
                content = expected[block] + bytes(block_bytes - 16)
                start = time.perf_counter()
                oram.write_block(block, content)
                seconds += time.perf_counter() - start
            else:
                start = time.perf_counter()
                found = oram.read_block(block)
                seconds += time.perf_counter() - start
                wrong += bytes(found[:16]) != expected.get(block, bytes(16))
oram.close()
print(json.dumps({"seconds": seconds, "wrong": wrong}))
