// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/student.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/support/lab_folder.h"

namespace student_test {

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTasks =
    "  much: {kind: number, value: n}\n"
    "  why: {kind: choice, options: [a, b], answer: a}\n";
constexpr const char* kTexts =
    "  much: {question: 'How much, of {{n}}?', hints: [Think.]}\n"
    "  why: {question: Why, hints: [Look.], options: {a: This., b: That.}}\n";

/// A student's folder in that of a lab.
struct Desk {
  testing::LabFolder folder{kTasks, kTexts};
  lab::Lab lab = lab::read_lab(folder.path());
  lab::Student mary = lab::student_of(lab, "mary");
  lab::Scope scope = lab::scope_of(lab, mary.seed);

  void write(const std::string& name, const std::string& text) const { folder.write("desk/" + name, text); }
  [[nodiscard]] std::filesystem::path path() const { return folder.path() / "desk"; }
};

std::optional<double> number_of(const std::string& text) {
  return lab::Answer{text, {}}.number();
}

}  // namespace

TEST_CASE("student.yaml reads back") {
  const Desk desk;
  desk.write(lab::kStudentFile, lab::student_text(desk.lab, desk.mary));
  const lab::Student student = lab::read_student(desk.path());
  CHECK(student.lab == "tiny");
  CHECK(student.id == "mary");
  CHECK(student.seed == desk.mary.seed);
}

TEST_CASE("a name with signs of YAML in it is kept") {
  const Desk desk;
  const lab::Student student = lab::student_of(desk.lab, "o'hara: \"42\" #1");
  desk.write(lab::kStudentFile, lab::student_text(desk.lab, student));
  CHECK(lab::read_student(desk.path()).id == "o'hara: \"42\" #1");
}

TEST_CASE("the seed of another student is refused") {
  const Desk desk;
  std::string text = lab::student_text(desk.lab, desk.mary);
  text.replace(text.find("mary"), 4, "john");
  desk.write(lab::kStudentFile, text);
  CHECK_THROWS_WITH(
      lab::read_student(desk.path()),
      Contains("student.yaml:5:7: this work belongs to another student") && Contains("not that of 'john'"));
}

TEST_CASE("a folder without student.yaml is not a folder of a lab") {
  const Desk desk;
  CHECK_THROWS_WITH(lab::read_student(desk.path()), Contains("gpusim lab start NAME makes one"));
}

TEST_CASE("answers.yaml has the questions with the student's values, and no answers") {
  const Desk desk;
  const std::string text = lab::answers_text(desk.lab, desk.mary, desk.scope);
  CHECK_THAT(text, Contains("# How much, of " + desk.scope.filled("{{n}}", "") + "?") && Contains("\nmuch:\n") &&
                       Contains("#   a: This.") && Contains("\nwhy:\n"));
  desk.write(lab::kAnswersFile, text);
  CHECK(lab::read_answers(desk.path(), desk.lab, desk.mary).empty());
}

TEST_CASE("answers read back") {
  const Desk desk;
  desk.write(lab::kAnswersFile, lab::answers_text(desk.lab, desk.mary, desk.scope, {{"much", {"4.5 KiB", {}}}}));
  CHECK(lab::read_answers(desk.path(), desk.lab, desk.mary).at("much").text == "4.5 KiB");
}

TEST_CASE("answers of another student are refused") {
  const Desk desk;
  const lab::Student john = lab::student_of(desk.lab, "john");
  desk.write(lab::kAnswersFile, lab::answers_text(desk.lab, john, desk.scope));
  CHECK_THROWS_WITH(lab::read_answers(desk.path(), desk.lab, desk.mary),
                    Contains("these answers belong to another student"));
}

TEST_CASE("answers to no question are refused with the nearest") {
  const Desk desk;
  desk.write(lab::kAnswersFile, "much: 4\nwhi: a\n");
  CHECK_THROWS_WITH(lab::read_answers(desk.path(), desk.lab, desk.mary),
                    Contains("answers.yaml:2:1: no question is called 'whi'") && Contains("did you mean 'why'?"));
}

TEST_CASE("answers that are missing are written once more by a command that is named") {
  const Desk desk;
  CHECK_THROWS_WITH(lab::read_answers(desk.path(), desk.lab, desk.mary), Contains("--again answers.yaml"));
}

TEST_CASE("numbers are read as people write them") {
  CHECK(number_of("32") == 32);
  CHECK(number_of("4,2") == 4.2);
  CHECK(number_of("65,536") == 65536);
  CHECK(number_of("1,048,576") == 1048576);
  CHECK(number_of("40 %") == 40);
  CHECK(number_of("4 * 32 / 128") == 1);
  CHECK(number_of("2 KiB") == 2048);
  CHECK_FALSE(number_of("about 3"));
  CHECK_FALSE(number_of("1 / 0"));
  CHECK_FALSE(number_of(""));
}

}  // namespace student_test
