# SPDX-License-Identifier: MIT
"""cmake/gpusim.cmake refuses a test program without cases."""
import subprocess
import unittest

import tree


class TestPrograms(tree.TreeTest):
    def configure(self):
        """(exit status, everything printed) of configuring a project with one test program, named 'some'."""
        self.plant("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(planted LANGUAGES CXX)\n"
                                     f'include("{tree.ROOT}/cmake/gpusim.cmake")\nadd_executable(gpusim main.cc)\n'
                                     "add_library(gpusim_test_main INTERFACE)\nadd_subdirectory(some)\n")
        self.plant("main.cc", "int main() {}\n")
        self.plant("some/CMakeLists.txt", "gpusim_tests()\n")
        command = ["cmake", "-S", str(self.root), "-B", str(self.root / "build")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_folder_of_tests_without_a_source_is_refused(self):
        status, output = self.configure()
        self.assertNotEqual(status, 0, output)
        self.assertIn("gpusim_tests: no *.cc in", " ".join(output.split()))

    def test_a_folder_of_tests_with_a_source_is_accepted(self):
        self.plant("some/some_test.cc", "int main() {}\n")
        status, output = self.configure()
        self.assertEqual(status, 0, output)


if __name__ == "__main__":
    unittest.main()
