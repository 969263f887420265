#!/usr/bin/env python3
"""Recompute the dice of one address with nothing but the standard library.

usage: recompute_die.py SEED_HEX NONCES_JSON ADDRESS_JSON COUNT [SIDES]

SEED_HEX     the seed of the stream, as opened; its SHA-256 is the commitment that was published
NONCES_JSON  for a side's stream {"side": "its nonce"}; for the umpire's, every side's; "late" for a missing one
ADDRESS_JSON the address beside the roll: [campaign, branch, turn, phase, subject, purpose, number]
"""

import hashlib
import hmac
import json
import sys


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def faces(seed, nonces, address, count, sides=10):
    key = hmac.digest(bytes.fromhex(seed), canonical(nonces).encode(), "sha256")
    bound = 256 - 256 % sides
    block, shown = 0, []
    while len(shown) < count:
        message = canonical(address).encode() + b"\x00" + block.to_bytes(4, "big")
        block += 1
        shown += [byte % sides + 1 for byte in hmac.digest(key, message, "sha256") if byte < bound]
    return shown[:count]


if __name__ == "__main__":
    seed, nonces, address, count, *rest = sys.argv[1:]
    print("commitment", hashlib.sha256(bytes.fromhex(seed)).hexdigest())
    print("faces", *faces(seed, json.loads(nonces), json.loads(address), int(count), *map(int, rest)))
