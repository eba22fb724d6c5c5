# SPDX-License-Identifier: MIT
"""What tools/silicon/run decides, without touching a machine: what runs next, what counts as done, what is kept."""
import fnmatch
import json

# What an experiment's process takes on top of its own estimate: creating a context, heating the GPU until its clock is
# steady.
SECONDS_TO_START = 1.5
# A process may take this much longer than estimated before it counts as hanging.
PATIENCE_FACTOR = 5
LEAST_PATIENCE_SECONDS = 20
# An attempt that ended so is not repeated; all else (a fault, a crash, a timeout) is tried again by the next run.
FINAL = {"ok", "skipped", "wrong"}


def parse_records(text):
    """(records, number of lines dropped). A line that is not a JSON object is what a cut-short write leaves behind."""
    records = []
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "type" in record and "experiment" in record:
            records.append(record)
    return records, len(lines) - len(records)


def to_text(records):
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)


def attempts(records):
    """(experiment, its records up to and including "done") for each attempt, in order; unfinished ones are left out."""
    open_attempts = {}
    closed = []
    for record in records:
        name = record["experiment"]
        if record["type"] == "begin":
            open_attempts[name] = []
        open_attempts.setdefault(name, []).append(record)
        if record["type"] == "done":
            closed.append((name, open_attempts.pop(name)))
    return closed


def merge(records):
    """One attempt for each experiment: the last whose outcome is final, else the last. Verdicts on SASS come anew."""
    best = {}
    for name, attempt in attempts([record for record in records if record["type"] != "sass"]):
        if name not in best or attempt[-1]["status"] in FINAL or best[name][-1]["status"] not in FINAL:
            best[name] = attempt
    return [record for attempt in best.values() for record in attempt]


def finished(records):
    return {name for name, attempt in attempts(records) if attempt[-1]["status"] in FINAL}


def gpus(records):
    return {record["gpu"] for record in records if record["type"] == "begin"}


def ending(experiment, status, message, seconds):
    """The record that closes an attempt whose process could not do so itself."""
    return {"type": "done", "experiment": experiment, "status": status, "message": message,
            "seconds": round(seconds, 3)}


def salvage(part, experiment, status, message, seconds):
    """Records of an attempt that was cut short: what it had measured until then is valid."""
    records, _ = parse_records(part)
    kept = [record for record in records if record["experiment"] == experiment and record["type"] != "done"]
    return kept + [ending(experiment, status, message, seconds)]


def salvage_unnamed(part):
    """The same for an attempt of which only its .part is left, because the whole run was killed."""
    records, _ = parse_records(part)
    return salvage(part, records[0]["experiment"], "interrupted", "", 0) if records else []


def select(experiments, pattern, done):
    """Those that match and are not done yet, most valuable first. "micro/*", or a part of a name: "saxpy"."""
    wanted = [e for e in experiments if e["name"] not in done and matches(e["name"], pattern)]
    return sorted(wanted, key=lambda e: (-e["priority"], e["name"]))


def matches(name, pattern):
    return not pattern or pattern in name or fnmatch.fnmatchcase(name, pattern)


def cost(experiment):
    """An experiment that cannot run here only says so."""
    return SECONDS_TO_START + (experiment["seconds"] if experiment.get("supported", True) else 0)


def next_that_fits(waiting, seconds_left):
    """The most valuable of the waiting experiments that the time is enough for; None when there is none."""
    return next((experiment for experiment in waiting if cost(experiment) <= seconds_left), None)


def plan(waiting, seconds):
    """(what will run in this order, what will not) if every estimate is right."""
    running = []
    waiting = list(waiting)
    while (experiment := next_that_fits(waiting, seconds)) is not None:
        waiting.remove(experiment)
        running.append(experiment)
        seconds -= cost(experiment)
    return running, waiting


def patience(experiment, seconds_left):
    """Seconds after which its process is stopped."""
    return max(1, min(max(LEAST_PATIENCE_SECONDS, PATIENCE_FACTOR * experiment["seconds"]), seconds_left))


def fit(members, limit):
    """(kept, dropped): names of `members` (name -> bytes), the largest dropped until the sum is within the limit."""
    kept = dict(members)
    dropped = []
    while kept and sum(kept.values()) > limit:
        largest = max(kept, key=lambda name: (kept[name], name))
        dropped.append(largest)
        del kept[largest]
    return sorted(kept), dropped
