# SPDX-License-Identifier: MIT
"""Reads listings of machine code (nvdisasm, cuobjdump -sass) and looks for what a kernel was meant to become."""
import re

FUNCTION = re.compile(r"^\s*(?:Function\s*:\s*|\.text\.)([A-Za-z_$][\w$.]*?):?\s*$")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)$")
CLOCK = "SR_CLOCK"


def functions(listing):
    """Symbol -> its instructions as (mnemonic, operands), in order."""
    found = {}
    current = None
    for line in listing.splitlines():
        head = FUNCTION.match(line)
        if head:
            current = found.setdefault(head.group(1), [])
            continue
        instruction = INSTRUCTION.match(line)
        if instruction and current is not None:
            current.append((instruction.group(1), instruction.group(2)))
    return found


def between_clocks(instructions):
    """What stands between the first and the last reading of the clock; nothing where it is not read twice."""
    readings = [i for i, (_, operands) in enumerate(instructions) if CLOCK in operands]
    return instructions[readings[0] + 1:readings[-1]] if len(readings) > 1 else []


def count(instructions, mnemonic):
    """"FFMA" is FFMA and FFMA.FTZ, but not FFMA32I; "IADD3|IMAD" is either."""
    wanted = mnemonic.split("|")
    return sum(1 for name, _ in instructions if any(name == w or name.startswith(w + ".") for w in wanted))


def verdict(expectation, listing):
    """The record that says whether a kernel became what its experiment expects; `listing` as from functions()."""
    instructions = listing.get(expectation["kernel"])
    looked_at = between_clocks(instructions or []) if expectation["between_clocks"] else instructions or []
    found = count(looked_at, expectation["mnemonic"])
    record = {key: expectation[key] for key in ("experiment", "kernel", "mnemonic", "at_least", "between_clocks")}
    note = "" if instructions is not None else "the kernel is in no listing"
    return {"type": "sass", **record, "found": found, "ok": found >= expectation["at_least"], "note": note}
