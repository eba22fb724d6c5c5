#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text that does not belong in the repository: unfinished business, one machine, riddles, dead links, long pages.

What is committed speaks of the project alone and reads the same for everyone who clones it. Where git is there, the
subjects of the last commits are looked at, too.
"""
import argparse
import collections
import functools
import pathlib
import re
import subprocess
import sys

# Besides what git ignores: "dist" is what tools/viewer builds, minified.
SKIPPED_FOLDERS = {".git", ".cache", "__pycache__", "node_modules", "test-results", "dist"}
BINARY_SUFFIXES = {".png", ".zst", ".xz"}

# What is wrong -> how it is recognised. Written so that no pattern matches its own text.
UNWANTED = {
    "a mark of unfinished work (open an issue instead)": re.compile(r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b"),
    "a path of one machine": re.compile(r"(?<![\w.~-])/(?:home|root|Users|work|tmp/w)/[\w.]"),
    "a package registry (name the package; the ordinary client finds it)": re.compile(
        r"\b(?:pypi\.[o]rg|crates\.[i]o|registry\.[n]pmjs|proxy\.[g]olang|deb\.[d]ebian)\b"),
    "talk about how the text came about": re.compile(
        r"\b(?:this|another|earlier|previous|next|later|my) [s]essions?\b|\b(?:AI|coding) [a]gents?\b"
        r"|\b[a]s asked in the (?:brief|task)\b", re.IGNORECASE),
    "a line end of another system": re.compile(r"\r"),
    "a tab": re.compile(r"\t"),
    "white space at the end of the line": re.compile(r"[ \t]+$"),
}

# What is read as the project's own English: these folders, and what is written by hand in the others. The page of style
# shows what not to write: its table lists phrases, and what to write instead. The check itself, and its test, show what
# they refuse.
PROSE = ("sim/", "docs/", "traces/", "configs/", "README.md", "CONTRIBUTING.md")
SOURCE_SUFFIXES = {".cc", ".h", ".cu", ".cuh", ".proto", ".py", ".trace"}
OTHERS = ("tests/", "tools/")
WRITTEN = SOURCE_SUFFIXES | {".md", ".yaml", ".ts", ""}
STYLE = "docs/writing.md"
SHOWING = {STYLE, "tools/check_text.py", "tests/tools/text_test.py", "docs/frictions.md"}
PHRASE_ROW = re.compile(r"^\| (?!not this |-)([^|`]+?) \| ([^|]+?) \|$", re.MULTILINE)
PHRASE_GAP = re.compile(r"[\s/#*]+")

# "a sector a lane" is a riddle; "one sector per lane" is not. The nouns are those of the glossary that such a ratio is
# made of.
COUNTED = ("line row warp thread lane CTA word request sector element tile column block step load store copy byte bit "
           "register bank entry slice port cluster token instruction").split()
PER = [*COUNTED, *"cycle SM sub-core GPU kernel rank point key access case metric slot way shard task axis".split()]
RATIO = re.compile(r"\b(?:(?:[Aa]n?|[Oo]ne)GAP(?:COUNTED)|[Oo]ne|[Tt]wo)GAPan?GAP(?:PER)\b"
                   .replace("GAP", PHRASE_GAP.pattern)
                   .replace("COUNTED", "|".join(COUNTED)).replace("PER", "|".join(PER)))

# What is wrong in a source -> how it is recognised. A comment behind a declaration may begin with a small letter.
UNWANTED_IN_SOURCES = {
    "a comment that begins with \"Of\" (say what it is: \"Bytes that the line holds\")": re.compile(
        r"(?:^|\s)(?://[/!]?<?|/\*\*|#)\s+Of\s"),
    "a text that begins with \"Of\" (begin with the subject: \"The error of one case\")": re.compile(r"\"Of [\da-z]"),
    "'whom' (name the warps, queues or threads)": re.compile(r"\b[Ww]hom\b"),
    "'who' for hardware (write 'which warp', 'a lane that')": re.compile(
        r"\b(?:warp|lane|CTA|thread|SM|slice|request|kernel|instruction)s?,? who\b"
        r"|\b[Ww]ho (?:owns|wakes|initialises|evicts|issues|arrives)\b"),
    "'is no NOUN' (write 'is not a NOUN')": re.compile(
        r"(?<![Tt]here )\b(?:is|are) [n]o (?!(?:longer|more|less|better|worse|wider|other|such)\b)\w"),
}
# What is wrong in C++ of ours, whose other languages have tables with comments behind their values.
UNWANTED_IN_CPP = {
    "a comment behind code that begins with \"of\" (say what it is: \"threads of a CTA\")": re.compile(
        r"^\s*(?!//)\S.*\s//[/!]?<?\s+of\s"),
    "a range that clang 14 cannot compile with this library (use the form with iterators)": re.compile(
        r"ranges::(?:stable_partition|partition|remove|remove_if|unique|rotate|equal_range|search|find_end)\("
        r"|std::views?::"),
}
# What is wrong in a document, outside of what it shows.
UNWANTED_IN_PAGES = {
    "a sentence that begins with \"Of\" (begin with the subject, or with \"For\", \"In\" or \"Among\")": re.compile(
        r"(?:^|[.!?:;] +)Of (?!course\b)[\w`]"),
}
CPP = re.compile(r"(?:sim|tests)/.*\.(?:cc|h)")

# In a document: the target of a link, a path of ours between backticks (its first word; a pattern is not a path), and a
# source file there, which may be named by the end of its path.
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?[^)]*\)")
NAMED_PATH = re.compile(r"`((?:sim|docs|tools|tests|configs|traces|cmake)/[\w./-]+)[^`]*`")
QUOTED = re.compile(r"`([^`]+)`")
SOURCE = re.compile(r"[\w.-][\w./-]*\.(?:cc|h)")

# A page of documents is read by people: it has at most so many lines.
PAGES = "docs/"
MOST_LINES = 400
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
PAGE_HEADING = re.compile(r"^#+ +(.*?)(?: +#+)?$", re.MULTILINE)
PLACE = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
LINKED_WORDS = re.compile(r"\[([^\]]*)\]\([^)]*\)")

# The longest subject of a commit, and how many of the last commits are looked at.
MOST_OF_SUBJECT = 72
COMMITS_READ = 100

# Headers of others: those that a source includes, and those that documents alone name.
INCLUDED = re.compile(r"^\s*#\s*include <([^>]+\.h)>", re.MULTILINE)
HEADERS_OF_OTHERS = {"cuda_occupancy.h"}


def is_text(path):
    return path.suffix not in BINARY_SUFFIXES and b"\0" not in path.read_bytes()[:8192]


def files_of(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if SKIPPED_FOLDERS & set(parts) or parts[0].startswith("build") or path.is_symlink():
            continue
        if path.is_file() and is_text(path):
            yield path


def endings(name):
    """The names of a file: a/b/c.h is also b/c.h and c.h."""
    parts = name.split("/")
    return {"/".join(parts[first:]) for first in range(len(parts))}


def source_names(root, paths):
    """Every way in which a document may name a source file, or a header that one includes from elsewhere."""
    names = set(HEADERS_OF_OTHERS)
    for path in paths:
        if path.suffix in {".cc", ".h"}:
            names |= endings(path.relative_to(root).as_posix())
            names.update(INCLUDED.findall(path.read_text(encoding="utf-8", errors="replace")))
    return names


def anchor_of(heading):
    """The name that a heading has in links, as GitHub makes it."""
    words = LINKED_WORDS.sub(r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


@functools.cache
def places_of(path):
    """Where a link may lead to in a document: its headings, counted where two are alike, and places with a name."""
    text = FENCED.sub("", path.read_text(encoding="utf-8", errors="replace"))
    seen = collections.Counter()
    places = set(PLACE.findall(text))
    for name in map(anchor_of, PAGE_HEADING.findall(text)):
        places.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return places


def dead_links(path, line):
    """What a line of a document links to and what is not there: a file, or a place in a document."""
    for target, place in LINK.findall(line):
        if "://" in target or target.startswith("mailto:"):
            continue
        file = path.parent / target if target else path
        if not file.exists():
            yield target
        elif place and file.suffix == ".md" and place not in places_of(file.resolve()):
            yield f"{target}#{place}"


def dead_names(root, path, line, sources):
    """Files, and places in them, that a line of a document points at and that do not exist.

    A source file that a line names alone, after one with its path, is taken to lie beside that one.
    """
    yield from dead_links(path, line)
    for target in NAMED_PATH.findall(line):
        if not (root / target).exists():
            yield target
    folder = None
    for word in re.split(r"[\s,;]+", " ".join(QUOTED.findall(line))):
        if not SOURCE.fullmatch(word):
            continue
        if NAMED_PATH.match(f"`{word}`"):
            folder = word.rpartition("/")[0]
        elif word not in sources:
            yield word
        elif folder and "/" not in word and not (root / folder / word).exists():
            yield f"{word} in {folder}"


def plain_phrases(root):
    """What not to write, as a pattern that a line break or the start of a comment may cut -> what to write instead."""
    style = root / STYLE
    rows = PHRASE_ROW.findall(style.read_text(encoding="utf-8")) if style.exists() else []
    phrases = {}
    for riddle, plain in rows:
        words = [re.escape(word) for word in riddle.split() if word != "..."]
        phrases[re.compile(r"\b" + PHRASE_GAP.pattern.join(words) + r"\b", re.IGNORECASE)] = plain
    return phrases


def is_prose(shown):
    name = shown.as_posix()
    return name not in SHOWING and (name.startswith(PROSE) or name.startswith(OTHERS) and shown.suffix in WRITTEN)


def unwanted_in(shown):
    """What is wrong in a line of such a file -> how it is recognised."""
    unwanted = {}
    if shown.suffix in SOURCE_SUFFIXES:
        unwanted |= UNWANTED_IN_SOURCES
    if CPP.fullmatch(shown.as_posix()):
        unwanted |= UNWANTED_IN_CPP
    if shown.suffix == ".md":
        unwanted |= UNWANTED_IN_PAGES
    return unwanted


def riddles(shown, text, phrases):
    """Sentences and fragments that the page of style asks to write in plain words."""
    if not is_prose(shown):
        return
    for pattern, plain in {**phrases, RATIO: "one ... per ..."}.items():
        for found in pattern.finditer(text):
            number = text.count("\n", 0, found.start()) + 1
            yield f"{shown}:{number}: '{PHRASE_GAP.sub(' ', found[0])}' (write: {plain}; see {STYLE})"
    unwanted = unwanted_in(shown)
    if shown.suffix == ".md":
        text = FENCED.sub(lambda shows: "\n" * shows[0].count("\n"), text)
    for number, line in enumerate(text.split("\n") if unwanted else (), 1):
        yield from (f"{shown}:{number}: {what}" for what, pattern in unwanted.items() if pattern.search(line))


def check_file(root, path, sources, phrases):
    shown = path.relative_to(root)
    # newline="" keeps a carriage return visible; bytes that are not UTF-8 are a finding of their own.
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        return [f"{shown}: is not UTF-8 at byte {error.start}"]
    problems = []
    for number, line in enumerate(text.split("\n"), 1):
        for what, pattern in UNWANTED.items():
            if pattern.search(line):
                problems.append(f"{shown}:{number}: {what}")
        if path.suffix == ".md":
            problems += [f"{shown}:{number}: names {name}, which is not there"
                         for name in dead_names(root, path, line, sources)]
    problems += riddles(shown, text, phrases)
    lines = text.count("\n")
    if path.suffix == ".md" and shown.as_posix().startswith(PAGES) and lines > MOST_LINES:
        problems.append(f"{shown}: has {lines} lines; split it by what it is about, a page has at most {MOST_LINES}")
    if text and not text.endswith("\n"):
        problems.append(f"{shown}: does not end with a newline")
    if text.endswith("\n\n"):
        problems.append(f"{shown}: ends with empty lines")
    return problems


def long_subjects(root):
    """Commits of late whose subject is cut where people read it. Without git, or in an archive, there are none."""
    if not (root / ".git").exists():
        return
    log = subprocess.run(["git", "-C", str(root), "log", f"-{COMMITS_READ}", "--no-merges", "--format=%h %s"],
                         capture_output=True, text=True, check=False)
    for line in log.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > MOST_OF_SUBJECT:
            yield (f"commit {commit}: its subject has {len(subject)} characters, and {MOST_OF_SUBJECT} are read: "
                   f"'{subject}'")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    paths = list(files_of(root))
    sources = source_names(root, paths)
    phrases = plain_phrases(root)
    problems = [problem for path in paths for problem in check_file(root, path, sources, phrases)]
    problems += long_subjects(root)
    print("\n".join(problems) or f"{len(paths)} files say nothing that does not belong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
