// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/handout.h"

#include <catch2/catch.hpp>

#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/support/lab_folder.h"

namespace handout_test {

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

/// A lab with this handout, in English, and where `german` says more, a translation.
class Written {
 public:
  explicit Written(const std::string& handout, const std::string& german = "")
      : folder_("  much: {kind: number, value: n * 2}\n", "  much: {question: How much, hints: [Think.]}\n") {
    folder_.write("handout.md", handout);
    folder_.write("handout.de.md", german);
    folder_.write("text.de.yaml", folder_.text("text.yaml"));
    lab = lab::translated(lab::read_lab(folder_.path()), german.empty() ? "" : "de");
    scope = lab::scope_of(lab, 1U);
  }

 private:
  testing::LabFolder folder_;

 public:
  lab::Lab lab;
  lab::Scope scope;
};

constexpr const char* kHandout =
    "# A lab\n\n## Goals\n\nn is {{n}}.\n\n## Discussion\n\nIt is {{2 * n}}.\n\n## Sources\n\n- One\n";

}  // namespace

TEST_CASE("the handout has the student's values") {
  const Written written(kHandout);
  CHECK_THAT(lab::handout_text(written.lab, written.scope), Contains("n is ") && !Contains("{{"));
}

TEST_CASE("a handout is parted before its discussion, and both parts have the title") {
  const Written written(kHandout);
  const std::string readme = lab::readme_text(written.lab, written.scope);
  CHECK_THAT(readme, Contains("## Goals") && !Contains("It is") && !Contains("## Sources") &&
                         Contains("writes them to `DISCUSSION.md`"));
  CHECK_THAT(lab::discussion_text(written.lab, written.scope),
             Catch::Matchers::StartsWith("# A lab\n\n## Discussion\n\nIt is ") && Contains("- One"));
}

TEST_CASE("a translation is parted at the section of the same number") {
  const Written written(kHandout, "# Ein Versuch\n\n## Ziele\n\nn ist {{n}}.\n\n## Was geschah\n\nEs ist {{2 * n}}.\n");
  CHECK_THAT(lab::readme_text(written.lab, written.scope), Contains("## Ziele") && !Contains("Es ist"));
  CHECK_THAT(lab::discussion_text(written.lab, written.scope),
             Catch::Matchers::StartsWith("# Ein Versuch\n\n## Was geschah"));
}

TEST_CASE("a handout without a discussion is what students read") {
  const Written written("# A lab\n\n## Goals\n\nn is {{n}}.\n");
  CHECK(lab::readme_text(written.lab, written.scope) == lab::handout_text(written.lab, written.scope));
}

TEST_CASE("documents outside of the lab are named where a student's folder cannot link them") {
  const Written written(
      "# A lab\n\nSee [the rules](../../occupancy.md#rules) and [more](https://a.b), ![x](pictures/a.png).\n");
  CHECK(lab::handout_text(written.lab, written.scope) ==
        "# A lab\n\nSee the rules (docs/occupancy.md in the sources of gpusim) and [more](https://a.b), "
        "![x](pictures/a.png).\n");
}

TEST_CASE("a terminal shows the table of a picture, and leaves other blocks of code as they are") {
  CHECK(lab::with_tables_of_pictures("One\n```picture race sms=40\n1 2\n```\n\n```yaml\na: 1\n```\n") ==
        "One\n```\n1 2\n```\n\n```yaml\na: 1\n```\n");
}

}  // namespace handout_test
