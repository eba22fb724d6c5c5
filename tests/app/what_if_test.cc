// SPDX-License-Identifier: MIT
// The command lines of docs/what-if.md, run as they stand there, but with the traces' small sets of parameters.
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace gpusim::app::what_if_test {
namespace {

/// Arguments of every line of the document that calls the program.
std::vector<std::string> documented_commands() {
  constexpr std::string_view kProgram = "gpusim ";
  std::istringstream document(content_of(std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs" / "what-if.md"));
  std::vector<std::string> commands;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with(kProgram)) {
      commands.push_back(line.substr(kProgram.size()));
    }
  }
  return commands;
}

bool is_show(const std::string& command) {
  return command.starts_with("sweep show");
}

}  // namespace

TEST_CASE("The studies of docs/what-if.md run as they are written, at small size", "[.slow]") {
  const Workshop workshop;
  const bool has_gnuplot = workshop.shell("gnuplot --version >out 2>err").code == 0;
  std::size_t studies = 0;
  for (const std::string& command : documented_commands()) {
    INFO(command);
    if (is_show(command) && !has_gnuplot && command.find("--svg") != std::string::npos) {
      WARN("gnuplot is not installed: no plots are drawn");
      continue;
    }
    const auto said = workshop.run(is_show(command) ? command : command + " --test-params --quiet");
    CHECK(said.code == 0);
    CHECK_FALSE(said.out.empty());
    if (!is_show(command)) {
      ++studies;
      const auto json = nlohmann::json::parse(workshop.run("sweep show --format json").out);
      CHECK(json["done"] == json["points"].size());
      CHECK(json["done"] > 10);
    }
  }
  CHECK(studies == 4);
}

}  // namespace gpusim::app::what_if_test
