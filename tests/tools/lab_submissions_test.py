# SPDX-License-Identifier: MIT
"""tools/labs/submissions.py makes a class and finds the grades that are not as meant."""
import contextlib
import io
import os
import pathlib
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/labs"))
import submissions  # noqa: E402

BUILD = os.environ.get("GPUSIM_BUILD")


def said(*arguments):
    """(exit status, what was printed)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = submissions.main([str(each) for each in arguments])
    return status, out.getvalue()


class Grades(unittest.TestCase):
    ROW = {"passed": "no", "bytes": "not yet", "remark": "kernel.trace:1:1: not a trace"}

    def test_a_grade_is_as_meant_when_all_that_is_said_of_it_holds(self):
        meant = submissions.Meant(task="bytes", standing="not yet", remark="kernel.trace:1")
        self.assertEqual(submissions.differs(meant, self.ROW), "")

    def test_a_grade_that_passes_where_it_should_not_is_found(self):
        self.assertEqual(submissions.differs(submissions.Meant(), dict(self.ROW, passed="yes")), "passed: yes")

    def test_a_task_that_stands_otherwise_is_found(self):
        meant = submissions.Meant(task="bytes", standing="waiting")
        self.assertEqual(submissions.differs(meant, self.ROW), "bytes: not yet and not waiting")

    def test_a_remark_that_says_something_else_is_found(self):
        self.assertEqual(submissions.differs(submissions.Meant(remark="missing"), self.ROW), "nothing of 'missing'")

    def test_a_submission_without_a_row_is_found(self):
        self.assertEqual(submissions.differs(submissions.Meant(), None), "has no row")

    def test_all_kinds_meet_all_labs(self):
        labs = len(list(submissions.LABS.glob("*/lab.yaml")))
        pairs = {(i % labs, i % len(submissions.KINDS)) for i in range(labs * len(submissions.KINDS))}
        self.assertEqual(len(pairs), labs * len(submissions.KINDS))


@unittest.skipUnless(BUILD, "GPUSIM_BUILD names the build folder whose program grades")
class Class(tree.TreeTest):
    PROGRAM = pathlib.Path(BUILD or "") / "sim/app/gpusim"

    def test_a_small_class_is_graded_as_meant(self):
        status, text = said("--program", self.PROGRAM, "--count", 16, "--labs", "occupancy,stalls")
        self.assertEqual(status, 0, text)
        self.assertRegex(text, r"\nall +16 +4 +16\n")

    def test_a_class_whose_grades_are_not_as_meant_is_refused(self):
        def lenient(room, lab, place, student):
            """Says that the start passes."""
            return room.start(lab, place, student)._replace(passed=True)
        kinds, submissions.KINDS = submissions.KINDS, [lenient]
        self.addCleanup(setattr, submissions, "KINDS", kinds)
        status, text = said("--program", self.PROGRAM, "--count", 1, "--labs", "stalls", "--keep", self.root / "class")
        self.assertEqual(status, 1)
        self.assertIn("not as meant: 0000-stalls-lenient: passed: no", text)
        self.assertTrue((self.root / "class/0000-stalls-lenient/answers.yaml").exists())


if __name__ == "__main__":
    unittest.main()
