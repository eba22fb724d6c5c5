// SPDX-License-Identifier: MIT
#include "sim/commands/cli/output_paths.h"

#include <catch2/catch.hpp>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"

#include "tests/app/program.h"

using Catch::Matchers::Contains;

namespace gpusim::cli {
namespace {

/// What is said when `Error` is thrown for these paths.
template <class Error>
std::string refusal_of(const std::string& json, const std::string& html) {
  const std::vector<OutputPath> outputs{{"--json", json}, {"--html", html}};
  try {
    (void)open_outputs(outputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "opened";
}

}  // namespace

TEST_CASE("outputs that are wanted are opened, in the order of the options, and the others are empty") {
  const app::Workshop shop;
  const std::string page = (shop.folder() / "page.html").string();
  const std::vector<OutputPath> outputs{{"--json", ""}, {"--html", page}};
  std::vector<std::optional<OutputFile>> files = open_outputs(outputs);
  REQUIRE(files.size() == 2);
  CHECK_FALSE(files[0].has_value());
  REQUIRE(files[1].has_value());
  files[1]->commit("text");
  CHECK(app::content_of(page) == "text");
}

TEST_CASE("an output is refused that is standard output, or the file of another option under any name") {
  const app::Workshop shop;
  const std::string file = (shop.folder() / "x").string();
  const std::string again = (shop.folder() / "." / "x").string();
  CHECK_THAT(refusal_of<UsageError>(file, "-"), Contains("--html: '-' is not a file; use --format json"));
  CHECK_THAT(refusal_of<UsageError>(file, file), Contains("--json and --html name the same file, '" + file + "'"));
  CHECK_THAT(refusal_of<UsageError>(file, again), Contains("--json and --html name the same file"));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("an output that is a folder, or in none, is refused, and nothing stays of the others") {
  const app::Workshop shop;
  const std::string file = (shop.folder() / "x").string();
  CHECK_THAT(refusal_of<InputError>(file, shop.folder().string()), Contains("it is a folder"));
  CHECK_THAT(refusal_of<InputError>(file, (shop.folder() / "nowhere" / "y").string()), Contains("cannot write"));
  CHECK(std::filesystem::is_empty(shop.folder()));
}

TEST_CASE("an output that would replace what is read is refused") {
  const app::Workshop shop;
  shop.write("in", "text");
  const std::filesystem::path input = shop.folder() / "in";
  const std::vector<OutputPath> outputs{{"--json", ""}, {"--html", input.string()}};
  CHECK_THROWS_WITH(refuse_to_replace(outputs, input), Contains("is what is to be read"));
}

}  // namespace gpusim::cli
