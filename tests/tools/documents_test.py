# SPDX-License-Identifier: MIT
"""What documents tell people to type: commands and options that the program has, and files that are there."""
import os
import pathlib
import re
import subprocess
import unittest

import tree

PROGRAM = pathlib.Path(os.environ.get("GPUSIM_BUILD", "")) / "sim/app/gpusim"
# frictions.md shows what was typed by mistake.
PAGES = [tree.ROOT / "README.md",
         *sorted(page for page in (tree.ROOT / "docs").rglob("*.md") if page.name != "frictions.md")]
FENCE = re.compile(r"^ *```[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:tools/)?gpusim [^`]*)`")
# Reports begin with the program and its version.
START = re.compile(r"^(?:\$ )?(?:tools/)?gpusim(?= (?!\d))")
# What ends a command: a comment, a pipe, a redirection, another command, or a column of explanations.
END = re.compile(r" #| \| | [>&;]|   ")
OPTION = re.compile(r"--[a-z][a-z0-9-]*")
FILE = re.compile(r"(?:tests|traces|configs|docs|tools)/[\w./-]+\.(?:trace|yaml|cu|ptx|cubin|py)\b")
# Options that the man page has once, of the program.
EVERY_COMMAND = {"--help", "--quiet", "--color", "--no-pager"}


def commands_in(text):
    """Each command line of a page, from behind "gpusim"."""
    for block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if START.match(line):
                yield END.split(START.sub("", line))[0]
    for line in filter(START.match, INLINE.findall(FENCE.sub("", text).replace("\n", " "))):
        yield END.split(START.sub("", line))[0]


def commands_of_program():
    """Every command, as "gpusim arch show" -> its options, from the man page."""
    page = subprocess.run([PROGRAM, "help", "--man"], capture_output=True, text=True, check=True).stdout
    page = page.replace("\\-", "-")
    every, *rest = re.split(r"^\.SS ", page, flags=re.MULTILINE)
    commands = {"gpusim": set(OPTION.findall(every))}
    for section in rest:
        commands[section.split("\n", 1)[0]] = set(OPTION.findall(section)) | EVERY_COMMAND
    return commands


def command_of(words, commands):
    """The longest command that the words begin with."""
    path = "gpusim"
    for word in words:
        if f"{path} {word}" not in commands:
            break
        path += f" {word}"
    return path


class Documents(unittest.TestCase):
    @unittest.skipUnless(PROGRAM.is_file(), "needs the program")
    def test_commands_and_options_in_documents_are_those_of_the_program(self):
        commands = commands_of_program()
        groups = {path.rsplit(" ", 1)[0] for path in commands if path.count(" ") == 2}
        for page in PAGES:
            for line in commands_in(page.read_text()):
                words = line.split()
                path = command_of(words, commands)
                with self.subTest(page=page.name, line=line):
                    unknown = [option for option in OPTION.findall(line) if option not in commands[path]]
                    self.assertEqual(unknown, [], f"'{path}' has no such option")
                    if path == "gpusim" and words:
                        self.assertRegex(words[0], r"^(-|\.\.\.|[A-Z])", "no such command")

    def test_files_in_commands_are_there(self):
        for page in PAGES:
            for line in commands_in(page.read_text()):
                for word in FILE.findall(line):
                    with self.subTest(page=page.name, line=line):
                        self.assertTrue((tree.ROOT / word).exists(), f"{word} is not there")

    def test_the_first_pages_say_what_gpusim_stands_for_in_a_clone(self):
        for page in ("README.md", "docs/README.md"):
            self.assertIn("alias gpusim=", (tree.ROOT / page).read_text(), page)


if __name__ == "__main__":
    unittest.main()
