// SPDX-License-Identifier: MIT
// The measuring program without its kernels: registry, command line, journal.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tools/silicon/host/driver.h"
#include "tools/silicon/host/journal.h"
#include "tools/silicon/host/options.h"
#include "tools/silicon/host/registry.h"

namespace gpusim::silicon {
namespace {

Experiment experiment(const std::string& name, int priority, std::vector<Feature> needs = {}) {
  return {.name = name, .priority = priority, .seconds = 1, .needs = std::move(needs), .run = nullptr};
}

TEST_CASE("experiments are listed by value, then by name, in whatever order they were added") {
  Registry registry;
  for (const Experiment& each : {experiment("b", 50), experiment("a", 50), experiment("z", 90)}) {
    registry.add(each);
  }
  std::vector<std::string> names;
  for (const Experiment& each : registry.sorted()) {
    names.push_back(each.name);
  }
  CHECK(names == std::vector<std::string>{"z", "a", "b"});
}

TEST_CASE("a name is taken once and is fit for a file's name") {
  Registry registry;
  registry.add(experiment("micro/alu/fp32", 50));
  CHECK_THROWS_AS(registry.add(experiment("micro/alu/fp32", 10)), std::invalid_argument);
  CHECK_THROWS_AS(registry.add(experiment("micro/ALU", 10)), std::invalid_argument);
  CHECK_THROWS_AS(registry.add(experiment("", 10)), std::invalid_argument);
  CHECK(registry.find("micro/alu/fp32") != nullptr);
  CHECK(registry.find("micro/alu") == nullptr);
}

TEST_CASE("an experiment is supported where the GPU has every feature it needs") {
  const Experiment wgmma = experiment("a", 50, {Feature::Sm80, Feature::Sm90a});
  CHECK(missing_feature(wgmma, {7, 5}) == Feature::Sm80);
  CHECK(missing_feature(wgmma, {8, 0}) == Feature::Sm90a);
  CHECK_FALSE(missing_feature(wgmma, {9, 0}));
  CHECK(missing_feature(wgmma, {10, 0}) == Feature::Sm90a);
  CHECK_FALSE(missing_feature(experiment("b", 50, {Feature::Sm90}), {10, 0}));
}

TEST_CASE("without a GPU nothing is supported, and the list says so") {
  CHECK(to_json(experiment("a", 50, {Feature::Sm90}), std::nullopt) ==
        R"({"name":"a","priority":50,"seconds":1,"needs":["sm_90"],"supported":false})");
}

TEST_CASE("the command line is one task with what it needs") {
  using Words = std::vector<std::string_view>;
  const auto parsed = [](const Words& words) { return parse_options(words); };
  CHECK(parsed({"--list"}).task == Task::List);
  CHECK(parsed({"--profile", "kernels/saxpy"}).experiment == "kernels/saxpy");
  const Options run = parsed({"--run", "micro/a", "--out", "file"});
  CHECK(run.experiment == "micro/a");
  CHECK(run.out == "file");
  for (const Words& words : {Words{}, Words{"--run"}, Words{"--run", "a"}, Words{"--run", "a", "--out"},
                             Words{"--list", "more"}, Words{"a"}}) {
    CHECK_THROWS_AS(parsed(words), OptionsError);
  }
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("a journal's lines wait in a file of their own until the experiment is over") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gpusim silicon journal.jsonl";
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream(file) << "earlier\n";
  Journal journal(file);
  journal.write("one");
  CHECK(text_of(part) == "one\n");
  CHECK(text_of(file) == "earlier\n");
  journal.write("two");
  journal.commit();
  CHECK(text_of(file) == "earlier\none\ntwo\n");
  CHECK_FALSE(std::filesystem::exists(part));
  std::filesystem::remove(file);
}

TEST_CASE("the driver's release is found among other words") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gpusim silicon driver";
  std::ofstream(file) << "NVRM version: Made-up Kernel Module for x86_64  1.2.3  Release Build\n4.5\n";
  CHECK(driver_version({"/nowhere/version", file}) == "1.2.3");
  CHECK(driver_version({"/nowhere/version"}).empty());
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace gpusim::silicon
