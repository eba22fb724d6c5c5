// SPDX-License-Identifier: MIT
// What a command says of the files that it writes.
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace written_test {

using Catch::Matchers::Contains;
using gpusim::app::Workshop;

TEST_CASE("a command that writes a file says so in one line, and what to do with the file") {
  const Workshop shop;
  REQUIRE(shop.run("-a h100 -t saxpy --test-params --json saved.json").code == 0);
  for (const auto& [arguments, said] : {
           std::pair{"-a h100 -t saxpy --test-params --json r.json --timeline t.json", "wrote r.json\ngpusim: "},
           std::pair{"trace make softmax -o s.trace",
                     "wrote s.trace; simulate it: gpusim --arch h100 --trace s.trace\n"},
           std::pair{"report saved.json --html page.html", "wrote page.html\n"},
           std::pair{"compare saved.json saved.json --html both.html", "wrote both.html\n"},
           std::pair{"lab show coalescing --student ada --page lab.html", "wrote lab.html\n"},
           std::pair{"lab solution coalescing done --student ada", "wrote the solution to done\n"},
       }) {
    INFO(arguments);
    const Workshop::Said loud = shop.run(arguments);
    CHECK(loud.code == 0);
    CHECK_THAT(loud.err, Contains(said));
    std::filesystem::remove_all(shop.folder() / "done");
    const Workshop::Said quiet = shop.run(std::string(arguments) + " --quiet");
    CHECK(quiet.code == 0);
    CHECK(quiet.err.empty());
  }
}

TEST_CASE("what goes to standard output is not told as a file that was written") {
  const Workshop shop;
  CHECK(shop.run("trace make softmax -o /dev/stdout").err.empty());
  CHECK(shop.run("trace make softmax -o -").err.empty());
}

}  // namespace written_test
