// SPDX-License-Identifier: MIT
// `gpusim validate` as its user meets it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace validate_test {

using namespace gpusim;
using app::Workshop;

namespace {

/// FFMA takes 4 cycles; "measured" says what else.
std::string one_case(const std::string& measured) {
  return "cases:\n  - {id: ffma, gpu: RTX A6000 (84 SM), metric: issue_cycle, from: a, to: b, unit: cycles, source: "
         "x,\n"
         "     confidence: high, measured: " +
         measured +
         ", tolerance: 9,\n"
         "     program: \"a:\\n FFMA R4, R5, R6, R7\\nb:\\n FADD R8, R4, R9\\n\"}\n";
}

}  // namespace

TEST_CASE("validate prints the micro suite, and JSON of one architecture") {
  const Workshop shop;
  const auto text = shop.run("validate --suite micro --filter alu");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(text.out.find("Simulated against measured") != std::string::npos);
  const auto json = shop.run("validate --suite micro --arch a6000 --format json");
  CHECK(json.code == 0);
  const auto parsed = nlohmann::json::parse(json.out);
  CHECK(parsed.at("cases").size() > 5);
  for (const auto& of : parsed.at("cases")) {
    CHECK(of.at("arch") == "a6000");
  }
}

TEST_CASE("validate takes cases of the user's own, and --max-error decides its exit code") {
  const Workshop shop;
  shop.write("mine.yaml", one_case("5"));
  CHECK(shop.run("validate --cases mine.yaml").code == 0);
  CHECK(shop.run("validate --cases . --max-error 20").code == 0);
  const auto missed = shop.run("validate --cases mine.yaml --max-error 19.9%");
  CHECK(missed.code == 5);
  CHECK(missed.out.find("-20.00 %") != std::string::npos);
  CHECK(missed.err.find("more than --max-error 19.9 %") != std::string::npos);
}

TEST_CASE("validate --json writes what it prints as text, and --all simulates the slow cases") {
  const Workshop shop;
  std::string slow = one_case("5");
  slow.insert(slow.find("measured"), "slow: true, ");
  shop.write("mine.yaml", slow);
  const auto simulated = [&shop](const std::string& arguments) {
    const auto said = shop.run("validate --cases mine.yaml --json cases.json" + arguments);
    CHECK(said.code == 0);
    CHECK(said.out.find("Simulated against measured") != std::string::npos);
    const auto of = nlohmann::json::parse(app::content_of(shop.folder() / "cases.json")).at("cases").at(0);
    CHECK(of.at("slow") == true);
    CHECK(of.at("file") == "mine.yaml");
    return of.at("simulated");
  };
  CHECK(simulated("").is_null());
  CHECK(simulated(" --all") == 4);
  CHECK(shop.run("validate --cases mine.yaml --json -").code == 1);
}

TEST_CASE("a case compares a step, or its kernels alone, which the CPU does not lengthen") {
  const Workshop shop;
  const auto simulated = [&shop](const std::string& time) {
    shop.write(
        "step.yaml",
        "cases:\n  - {id: chain, unit: us, source: x, confidence: high, measured: 10, tolerance: 9, estimate: {system: "
        "dgx-h100, application: elementwise-chain, operations: 4, elements: 1024, operator-time: 100 us" +
            time + "}}\n");
    return shop.run("validate --cases step.yaml --format json");
  };
  const auto value = [&](const std::string& time) {
    return nlohmann::json::parse(simulated(time).out)["cases"][0]["simulated"].get<double>();
  };
  CHECK(value("") > 400);
  CHECK(value(", time: step") == value(""));
  const double kernels = value(", time: kernels");
  CHECK((kernels > 2 && kernels < 20));
  const auto wrong = simulated(", time: kernel");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean 'kernels'") != std::string::npos);
}

TEST_CASE("validate refuses what it cannot do") {
  const Workshop shop;
  shop.write("mine.yaml", one_case("5"));
  const auto refused = [&](const std::string& arguments, int code, const std::string& part) {
    const auto said = shop.run("validate " + arguments);
    INFO(arguments << ": " << said.err);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK(said.err.find(part) != std::string::npos);
  };
  refused("--suite mikro", 2, "did you mean 'micro'?");
  refused("--arch h10", 2, "no such file");
  refused("--cases mine.yaml --arch h100", 2, "no case is of this architecture (known: a6000)");
  refused("--cases nothing.yaml", 2, "no such file or folder");
  refused("--cases mine.yaml --suite micro", 1, "--suite does not go with --cases");
  refused("--max-error lots", 1, "is not a percentage");
  refused("--filter '('", 1, "is not a regular expression");
  refused("--filter nobody", 2, "no case has such an id");
  shop.write("bad.yaml", "cases:\n  - {id: a}\n");
  refused("--cases bad.yaml", 2, "bad.yaml:2:5: case 'a' lacks 'metric'");
  shop.write("gpu.yaml", one_case("5").replace(20, 0, "arch: h1000, x"));
  refused("--cases gpu.yaml", 2, "gpu.yaml:2");
}

TEST_CASE("validate shows what it has simulated when another case turns out to be bad") {
  const Workshop shop;
  std::string bad = one_case("5").substr(one_case("5").find("  - "));
  bad.replace(bad.find("ffma"), 4, "lost").replace(bad.find("from: a"), 7, "from: c");
  shop.write("mine.yaml", one_case("5") + bad);
  const auto said = shop.run("validate --cases mine.yaml --json cases.json");
  CHECK(said.code == 2);
  CHECK(said.err.find("case 'lost': the program has no label 'c'") != std::string::npos);
  CHECK(said.out.find("-20.00 %") != std::string::npos);
  CHECK(said.out.find("1 case refused") != std::string::npos);
  const auto json = nlohmann::json::parse(app::content_of(shop.folder() / "cases.json"));
  CHECK(json.at("complete") == false);
  CHECK(json.at("cases").size() == 2);
}

}  // namespace validate_test
