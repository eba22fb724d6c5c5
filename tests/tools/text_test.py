# SPDX-License-Identifier: MIT
"""tools/check_text.py finds what does not belong. The planted words are put together so that this file has none."""
import json
import subprocess
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import model_tables  # noqa: E402
import regen_docs  # noqa: E402
import studies  # noqa: E402

TOOL = "check_text.py"


class Text(tree.TreeTest):
    def test_plain_text_is_accepted(self):
        self.plant("README.md", "A scratch file goes to /tmp/x.json; mktemp takes XXXXXX.\n")
        self.assert_clean(TOOL)

    def test_unwanted_text_is_refused_with_its_place(self):
        faults = {
            "a mark of unfinished work": "// TO" + "DO: later",
            "a path of one machine": "see /ho" + "me/ann/notes",
            "a package registry": "from py" + "pi.org",
            "talk about how the text came about": "as the previous ses" + "sion left it",
            "a tab": "a\tb",
            "a line end of another system": "a\r",
            "white space at the end of the line": "a ",
        }
        for what, line in faults.items():
            with self.subTest(what):
                self.plant("docs/guide.md", f"first\n{line}\n")
                self.assert_refused(TOOL, f"docs/guide.md:2: {what}")

    def test_a_document_names_only_what_is_there(self):
        self.plant("docs/guide.md", "[a](b.md#part), [web](https://a.org/x), `tools`, `sim/*/x`, `tools/run --all`\n")
        self.plant("docs/b.md", "# Part\n")
        self.plant("tools/run", "run\n")
        self.assert_clean(TOOL)
        self.plant("docs/guide.md", "[a](c.md)\n\n`sim/machine/sm/none.h`\n")
        self.assert_refused(TOOL, "docs/guide.md:1: names c.md, which is not there")
        self.assert_refused(TOOL, "docs/guide.md:3: names sim/machine/sm/none.h, which is not there")

    def test_a_link_leads_to_a_heading_or_a_named_place_that_is_there(self):
        self.plant("docs/b.md", "# L1 (`memory/l1.cc`): hits & misses\n\n## See [a](a.md)\n\n## More\n\n## More\n\n"
                   "<a id=\"here\"></a>\n\n```\n# no heading\n```\n")
        self.plant("docs/a.md", "# A\n\n[1](b.md#l1-memoryl1cc-hits--misses), [2](b.md#see-a), [3](b.md#more-1), "
                   "[4](b.md#here), [5](#a), [6](a.md), [7](https://a.org/x#y)\n")
        self.plant("sim/memory/l1.cc", "int a;\n")
        self.assert_clean(TOOL)
        for link in ("b.md#l1", "b.md#more-2", "b.md#no-heading", "#b"):
            with self.subTest(link):
                self.plant("docs/a.md", f"# A\n\n[1]({link})\n")
                self.assert_refused(TOOL, f"docs/a.md:3: names {link}, which is not there")

    def test_the_subject_of_a_commit_has_at_most_72_characters(self):
        self.plant("README.md", "text\n")
        git = ["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x" * 72], check=True)
        self.assert_clean(TOOL)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "y" * 73], check=True)
        self.assert_refused(TOOL, "its subject has 73 characters, and 72 are read: 'yyy")

    def test_a_page_of_documents_has_at_most_400_lines(self):
        self.plant("docs/model/guide.md", "a\n" * 400)
        self.plant("tests/notes.md", "a\n" * 401)
        self.assert_clean(TOOL)
        self.plant("docs/model/guide.md", "a\n" * 401)
        self.assert_refused(TOOL, "docs/model/guide.md: has 401 lines; split it")

    def test_a_source_file_may_be_named_by_the_end_of_its_path_and_must_be_there(self):
        self.plant("sim/machine/sm/issuer.cc", "#include <zlib.h>\n")
        self.plant("docs/guide.md", "`issuer.cc`, `sm/issuer.cc`, `*_test.cc`, `zlib.h`, `cuda_occupancy.h`\n")
        self.assert_clean(TOOL)
        self.plant("docs/guide.md", "`issue.cc`\n`mem/issuer.cc`, `issuer.h`\n")
        self.assert_refused(TOOL, "docs/guide.md:1: names issue.cc, which is not there")
        self.assert_refused(TOOL, "docs/guide.md:2: names mem/issuer.cc, which is not there")
        self.assert_refused(TOOL, "docs/guide.md:2: names issuer.h, which is not there")

    def test_a_source_file_named_after_a_path_lies_beside_it(self):
        for name in ("sm/issuer.cc", "sm/lsu.cc", "gpu/run.cc"):
            self.plant(f"sim/machine/{name}", "\n")
        self.plant("docs/guide.md", "`sim/machine/sm/issuer.cc`, `lsu.cc` beside it\n`run.cc`, `gpu/run.cc`\n")
        self.assert_clean(TOOL)
        self.plant("docs/guide.md", "`sim/machine/sm/issuer.cc`; `run.cc` beside it\n")
        self.assert_refused(TOOL, "docs/guide.md:1: names run.cc in sim/machine/sm, which is not there")

    STYLE = ("| not this | but this |\n| --- | --- |\n| this is no trace | not a trace |\n"
             "| ... is called so | no such kernel |\n")

    def test_a_phrase_of_the_style_is_refused_with_the_plain_words(self):
        self.plant("docs/writing.md", self.STYLE)
        self.plant("docs/guide.md", "It says that\nThis is no\ntrace.\n")
        self.assert_refused(TOOL, "docs/guide.md:2: 'This is no trace' (write: not a trace; see docs/writing.md)")
        self.plant("docs/guide.md", "This is not a trace.\n")
        self.plant_source("sim/a.h", "/// Nothing is called", "/// so.")
        self.assert_refused(TOOL, "sim/a.h:2: 'is called so' (write: no such kernel")

    def test_the_phrases_are_those_of_our_own_page(self):
        self.plant("docs/writing.md", (tree.ROOT / "docs/writing.md").read_text())
        self.plant("docs/glossary.md", "words\n")
        self.plant("tools/check_text.py", "pass\n")
        self.assert_clean(TOOL)
        self.plant("README.md", "This is a fault\nof gpusim.\n")
        self.assert_refused(TOOL, "README.md:1: 'This is a fault of gpusim' (write: internal error")

    def test_the_style_itself_and_what_is_no_prose_may_show_a_phrase(self):
        self.plant("docs/writing.md", self.STYLE)
        self.plant_source("tests/tools/text_test.py", "# Of this is no trace.")
        self.plant("tests/input/data/kernel.csv", "this is no trace\n")
        self.plant("docs/guide.md", "A database is called something.\n")
        self.assert_clean(TOOL)

    def test_what_is_written_by_hand_for_tests_and_tools_is_prose(self):
        self.plant("docs/writing.md", self.STYLE)
        for path in ("tests/a_test.cc", "tools/run", "traces/a.trace", "configs/a.yaml"):
            with self.subTest(path):
                self.plant(path, "# This is no trace\n")
                self.assert_refused(TOOL, f"{path}:1: 'This is no trace' (write: not a trace")
                (self.root / path).unlink()

    def test_a_ratio_without_per_is_refused_wherever_a_line_breaks(self):
        for text, found in (("title one element a thread\n", "one element a thread"),
                            ("a warp a row\n", "a warp a row"),
                            ("particles, one a thread\n", "one a thread"),
                            ("It takes a sector a\n# cycle.\n", "a sector a cycle")):
            with self.subTest(text):
                self.plant("traces/a.trace", text)
                self.assert_refused(TOOL, f"traces/a.trace:1: '{found}' (write: one ... per ...; see docs/writing.md)")
        self.plant("traces/a.trace", "one element per thread, a warp along a row, 16 bytes a lane\n")
        self.assert_clean(TOOL)

    def test_a_comment_that_begins_with_of_is_refused(self):
        for line in ("/// Of the line.", "  // Of the line.", "int a = 0;  ///< Of the line."):
            with self.subTest(line):
                self.plant_source("sim/a.h", line)
                self.assert_refused(TOOL, "sim/a.h:2: a comment that begins with \"Of\"")
        self.plant_source("sim/a.h", "/// Bytes of the line. Often.", 'const char* text = "Often";')
        self.assert_clean(TOOL)

    def test_a_text_or_a_sentence_of_a_document_that_begins_with_of_is_refused(self):
        self.plant_source("sim/a.cc", 'const char* text = "Of the line";')
        self.assert_refused(TOOL, "sim/a.cc:2: a text that begins with \"Of\"")
        self.plant_source("sim/a.cc")
        for line in ("Of 47 MB it reads half.", "It reads. Of 47 MB, half."):
            with self.subTest(line):
                self.plant("docs/guide.md", f"```\nOf what is shown\n```\n{line}\n")
                self.assert_refused(TOOL, "docs/guide.md:4: a sentence that begins with \"Of\"")
        self.plant("docs/guide.md", "It reads, of 47 MB, half. Of course it does.\n")
        self.assert_clean(TOOL)

    def test_a_comment_behind_code_that_begins_with_of_is_refused(self):
        for line in ("int ctas = 0;  ///< of a launch", "  run();  // of a thread"):
            with self.subTest(line):
                self.plant_source("sim/a.h", line)
                self.assert_refused(TOOL, "sim/a.h:2: a comment behind code that begins with \"of\"")
        self.plant_source("sim/a.h", "/// Bytes of a line, each", "/// of a sector.",
                          "int ctas = 0;  ///< CTAs of a launch")
        self.assert_clean(TOOL)

    def test_a_range_that_clang_14_cannot_compile_is_refused(self):
        for line in ("std::ranges::stable_partition(rows, is_call);", "for (int i : std::views::iota(0, 4)) {"):
            with self.subTest(line):
                self.plant_source("sim/a.cc", line)
                self.assert_refused(TOOL, "sim/a.cc:2: a range that clang 14 cannot compile")
        self.plant_source("sim/a.cc", "std::stable_partition(rows.begin(), rows.end(), is_call);",
                          "std::ranges::stable_sort(rows);")
        self.assert_clean(TOOL)

    def test_who_is_refused_where_hardware_is_meant(self):
        for line in ("// The warp who waits.", "// Who owns the row."):
            with self.subTest(line):
                self.plant_source("tests/a_test.cc", line)
                self.assert_refused(TOOL, "tests/a_test.cc:2: 'who' for hardware")
        self.plant_source("tests/a_test.cc", "// A user who waits; who measured it.")
        self.assert_clean(TOOL)

    def test_whom_is_refused_in_sources_and_not_in_documents(self):
        self.plant("docs/guide.md", "The account says whom to charge.\n")
        self.assert_clean(TOOL)
        self.plant_source("sim/a.cc", "// Whom the warp waits for.")
        self.assert_refused(TOOL, "sim/a.cc:2: 'whom'")

    def test_a_noun_with_no_is_refused_in_sources_and_what_is_not_there_is_not(self):
        for line in ('fail("is no opcode");', "// Lines that are no text."):
            with self.subTest(line):
                self.plant_source("sim/a.cc", line)
                self.assert_refused(TOOL, "sim/a.cc:2: 'is no NOUN' (write 'is not a NOUN')")
        self.plant_source("sim/a.cc", 'fail("there is no label here");', "// There are no more; it is no longer open.")
        self.assert_clean(TOOL)

    def test_the_end_of_a_file_is_one_newline(self):
        self.plant("a.md", "text")
        self.assert_refused(TOOL, "a.md: does not end with a newline")
        self.plant("a.md", "text\n\n")
        self.assert_refused(TOOL, "a.md: ends with empty lines")

    def test_bytes_that_are_no_text_are_refused(self):
        (self.root / "a.md").write_bytes(b"caf\xe9\n")
        self.assert_refused(TOOL, "a.md: is not UTF-8 at byte 3")

    def test_build_folders_are_left_alone(self):
        self.plant("build/dev/log.txt", "a\t\n")
        self.assert_clean(TOOL)


def generated(name, text):
    return f"<!-- generated: {name} -->\n\n{text}\n\n<!-- end of generated part -->\n"


class GeneratedParts(tree.TreeTest):
    TOOL = "regen_docs.py"
    REPORT = """gpusim 0  complete run

kernel
  dram-bound: a verdict

Speed of light  of each unit
  DRAM 90

Roofline  FLOP per byte
  fp32

How far to trust this
  nothing
  simulated in 1.00 s on 1 thread
"""
    VALIDATION = json.dumps({"cases": [], "summary": {
        "cases": 2, "mean_abs_error_pct": 1.25, "p90_abs_error_pct": 3, "max_abs_error_pct": 4}})
    KEPT = REPORT[: REPORT.index("  simulated")].strip()

    def setUp(self):
        super().setUp()
        self.plant("tools/check_layers.py", (tree.ROOT / "tools/check_layers.py").read_text())
        self.tour = self.plant("docs/architecture.md", "before\n\n" + generated("include-graph", "old") + "\nafter\n")
        report = f"```\n{self.KEPT}\n```"
        both = generated("report-h100", report) + generated("report-a100", report)
        self.reports = self.plant("docs/first-report.md", both)
        self.plant("docs/architecture-files.md", generated("parts", "old"))
        counts = ("instruction-budget", "instruction-distances")
        self.plant("docs/performance.md", "".join(generated(name, "old") for name in counts))
        self.plant("tools/instruction_budget.json", (tree.ROOT / "tools/instruction_budget.json").read_text())
        self.plant("docs/advice.md", generated("advice-outcomes", "old") + generated("advice-commands", "old"))
        watched = ("watch-example", "why-example", "why-refusals")
        self.plant("docs/timelines.md", "".join(generated(name, "old") for name in watched))
        self.plant("docs/occupancy.md", generated("occupancy-example", "old"))
        self.plant("docs/systems.md", generated("systems", "old") + generated("system-example", "old"))
        self.plant("docs/applications.md", generated("app-example", "old") + generated("app-slowed", "old"))
        self.plant("docs/profiles.md", generated("ratios", "old"))
        self.plant("docs/memory.md", generated("fit-example", "old"))
        for page in {*studies.QUICK, *studies.STEPS, *studies.TABLES}:
            names = [name for made in (studies.QUICK, studies.STEPS, studies.TABLES) for name in made.get(page, ())]
            self.plant(f"docs/studies/{page}.md", "".join(generated(f"study-{name}", "old") for name in names))
        self.plant("docs/validation.md", generated("worst-cases", "old") + generated("case-pages", "old"))
        self.example = self.plant("docs/roofline.md", generated("roofline-example", "old"))
        comparisons = ("transposes", "padding", "attention")
        self.plant("docs/compare.md", "".join(generated(f"compare-{name}", "old") for name in comparisons))
        families = ("memory", "reductions-and-scans", "stencils-and-images", "dense", "deep-learning", "irregular",
                    "machine")
        self.plant("docs/kernels.md", "".join(generated(f"library-{family}", "old") for family in families))
        self.plant("traces/README.md", generated("shipped", "old"))
        self.plant("tools/model_tables.py", (tree.ROOT / "tools/model_tables.py").read_text())
        others = {"docs/model/sm.md": ["timelines"]}
        for page, mechanisms in model_tables.PARAMETER_PAGES.items():
            names = [*(f"{m}-parameters" for m in mechanisms), *others.get(page, ())]
            self.plant(page, "".join(generated(name, "old") for name in names))
        for page, mechanisms in model_tables.CASE_PAGES.items():
            self.plant(page, "# Cases: some\n\n" + "".join(generated(f"{m}-cases", "old") for m in mechanisms))
        self.plant("docs/validation/memory-curves.md", generated("curve-summary", "old"))
        self.plant("docs/validation/dram-reference.md", generated("dram-reference", "old"))
        self.plant("docs/validation/mechanisms.md", generated("mechanism-changes", "old"))
        self.plant("docs/model/power.md", "# Power and the clock\n\n## Energy of events\n")
        self.plant("docs/model/engine.md", "# Time\n\n## Events (`sim/engine`)\n\n## Limits\n")
        names = ("summary", "worst", "by-kind", "by-part", "by-state", "ladders", "top-stalls", "counters")
        self.plant("docs/validation-kernels.md", "".join(generated(f"kernels-{name}", "Old.") for name in names))
        self.plant("docs/validation/every-kernel.md", generated("kernels-cases", "Old."))
        self.plant("docs/validation/every-step.md", generated("steps-kinds", "Old.") + generated("steps-cases", "Old."))
        names = ("accuracy", "kernel-accuracy", "exit-codes", "modelled", "report-excerpt")
        self.readme = self.plant("README.md", "".join(generated(name, "old") for name in names))
        answers = "\n".join((
            'if [ "$1" = trace ]; then echo \'{"kernels": []}\'; exit; fi',
            'case "$*" in *cycle=999999|*cycle=50) echo refused >&2; exit 2;; esac',
            'if [ "$1" = --help ]; then printf "Exit codes: 0 done; 5 a check is not\\npassed; a pity."; exit; fi',
            'if [ "$1 $2" = "arch show" ]; then echo \'{"values": []}\'; exit; fi',
            f'if [ "$1 $4" = "validate --json" ]; then echo \'{self.VALIDATION}\' >"$5"; '
            'printf "Counted\\n  error case\\n"; for i in $(seq 30); do echo "  1 % case-$i"; done; fi',
            'if [ "$1 $4" = "validate --all" ]; then echo \'{"cases": []}\'; exit; fi'))
        self.program = self.plant("gpusim", f"#!/bin/sh\n{answers}\ncat <<'TEXT'\n{self.REPORT}TEXT\n")
        self.program.chmod(0o755)

    def test_a_stale_part_is_refused_and_then_brought_up_to_date(self):
        self.assert_refused(self.TOOL, "'include-graph' is stale", "--check")
        self.assert_clean(self.TOOL)
        self.assert_clean(self.TOOL, "--check")
        text = self.tour.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n") and "`sim/base`" in text)

    def test_a_document_without_the_part_is_refused(self):
        self.plant("docs/architecture.md", "no marks\n")
        self.assert_refused(self.TOOL, "has no part", "--check")

    def test_the_excerpt_has_the_verdict_and_the_chosen_sections_of_the_report(self):
        self.assert_clean(self.TOOL)
        text = self.readme.read_text()
        self.assertIn("```\nkernel\n  dram-bound: a verdict\n\nSpeed of light  of each unit\n  DRAM 90\n```", text)

    def test_the_front_page_says_how_exact_the_program_is_and_what_it_models(self):
        self.assert_clean(self.TOOL, "--program", str(self.program))
        text = self.readme.read_text()
        self.assertIn("2 micro-benchmark cases count: the mean error is 1.2 %", text)
        self.assertIn("- [Time](docs/model/engine.md): Events.\n", text)
        self.assertIn("| 5 | a check is not passed; a pity |\n", text)

    def test_the_page_of_validation_shows_the_worst_cases_alone(self):
        self.assert_clean(self.TOOL, "--program", str(self.program))
        text = (self.root / "docs/validation.md").read_text()
        self.assertIn("case-25\n  ...\n```", text)
        self.assertNotIn("case-26", text)
        self.assertIn("| [some](validation/l1.md) | 0 | 0 | - | - |", text)

    def test_an_example_shows_the_command_and_what_it_prints_today(self):
        self.assert_clean(self.TOOL)
        self.assertIn("old", self.example.read_text())
        self.assert_refused(self.TOOL, "'roofline-example' is stale", "--check", "--program", str(self.program))
        self.assert_clean(self.TOOL, "--program", str(self.program))
        text = self.example.read_text()
        self.assertIn("```\n$ gpusim roofline --arch h100", text)
        self.assertIn("  dram-bound: a verdict\n", text)

    def test_a_report_without_todays_sections_is_refused_until_it_is_run_again(self):
        self.assert_clean(self.TOOL, "--program", str(self.program))
        self.assert_clean(self.TOOL, "--check", "--program", str(self.program))
        self.reports.write_text(self.reports.read_text().replace("Roofline  FLOP", "Hill  FLOP"))
        self.assert_clean(self.TOOL, "--check")
        self.assert_refused(self.TOOL, "sections Speed of light, Roofline, How far", "--check", "--program",
                            str(self.program))
        self.assert_clean(self.TOOL, "--reports", "--only", "first-report", "--program", str(self.program))
        self.assert_clean(self.TOOL, "--check", "--program", str(self.program))
        self.assertNotIn("simulated in", self.reports.read_text())

    def test_a_program_that_fails_is_a_problem_with_its_words(self):
        self.program.write_text("#!/bin/sh\necho broken >&2\nexit 2\n")
        self.assert_refused(self.TOOL, "broken", "--program", str(self.program))


if __name__ == "__main__":
    unittest.main()
