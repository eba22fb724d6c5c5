// SPDX-License-Identifier: MIT
// A handout as one file that loads nothing.
#include "sim/commands/lab/page/handout_page.h"

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/base/output_file.h"
#include "sim/commands/lab/course/lab_file.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kLab = std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs/labs/coalescing";

}  // namespace

TEST_CASE("the page of a handout has the lab, whose it is and the text, and a policy that lets nothing in") {
  const std::string page = lab::handout_page(lab::read_lab(kLab), "# One\n\ntwo\n", "for <mary>");
  CHECK_THAT(page, Contains("<title>Coalescing - gpusim lab</title>") && Contains("for &lt;mary&gt;") &&
                       Contains("<h1>One</h1>\n<p>two</p>") && !Contains("@GPUSIM_"));
  CHECK_THAT(page, Contains("content=\"default-src 'none'; script-src 'sha256-") && !Contains("unsafe") &&
                       !Contains("src=\"http"));
}

TEST_CASE("pictures of the lab's own folder stand in the page, others do not") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("gpusim-pictures-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "pictures");
  OutputFile(folder / "pictures/a.png").commit("abc");
  OutputFile(folder / "pictures/b.html").commit("abc");
  OutputFile(folder / "secret.png").commit("abc");
  lab::Lab lab;
  lab.folder = folder;
  CHECK_THAT(lab::handout_html(lab, "![x](pictures/a.png)"), Contains("src=\"data:image/png;base64,YWJj\""));
  for (const std::string name : {"secret.png", "pictures/../secret.png", "pictures/b.html", "pictures/c.png",
                                 "pictures/", "/etc/passwd", "pictures/.a.png"}) {
    CHECK(lab::handout_html(lab, "![x](" + name + ")") == "<p>x</p>\n");
  }
  std::filesystem::remove_all(folder);
}
