// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"

#include "tests/model/arch/support.h"

namespace reader_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

TEST_CASE("a variant changes the keys it names and keeps the others") {
  const Folder folder;
  const std::string base = (kConfigs / "h100.yaml").string();
  const Arch arch = load_arch(folder.write("v.yaml", "extends: " + base + "\nname: Mine\nsm:\n  count: 100\n"), {});
  CHECK(arch.name == "Mine");
  CHECK(arch.sm.count == 100);
  CHECK(arch.l2.slices == 80);
}

TEST_CASE("a value without kind and source is the user's guess") {
  const Folder folder;
  const std::string base = (kConfigs / "h100.yaml").string();
  const Arch arch = load_arch(folder.write("v.yaml", "extends: " + base + "\nsm:\n  count: 100\n"), {});
  REQUIRE_FALSE(arch.guesses.empty());
  const auto guess =
      std::find_if(arch.guesses.begin(), arch.guesses.end(), [](const Guess& g) { return g.key == "sm.count"; });
  REQUIRE(guess != arch.guesses.end());
  CHECK(guess->value == "100");
  CHECK(guess->kind == SourceKind::kGuess);
  CHECK(guess->source == "user");
}

TEST_CASE("guesses carry their citation, and vendor's and measured values are none") {
  const Arch arch = h100();
  for (const Guess& guess : arch.guesses) {
    CHECK(guess.key != "sm.count");
    if (guess.key == "sm.l1.mshrs") {
      CHECK(guess.source.find("SM90_H100") != std::string::npos);
      CHECK(guess.kind == SourceKind::kInferred);
    }
  }
}

TEST_CASE("an unknown key is reported with its place and the nearest key") {
  CHECK(problems_of_variant("sm:\n  shcedulers: 4\n") ==
        "v.yaml:3:3: unknown key 'sm.shcedulers' (did you mean 'scheduler'?)\n");
  CHECK(problems_of_variant("dramm: 4\n") == "v.yaml:2:1: unknown key 'dramm' (did you mean 'dram'?)\n");
}

TEST_CASE("all problems of a file are reported at once") {
  CHECK(problems_of_variant("sm:\n  count: 0\n  coutn: 3\nl2:\n  bytes: 50 MB\n") ==
        "v.yaml:4:3: unknown key 'sm.coutn' (did you mean 'count'?)\n"
        "v.yaml:3:10: 'sm.count': '0' is out of range (allowed: 1 to 1024)\n"
        "v.yaml:6:10: 'l2.bytes': unit 'MB' does not fit: use B, KiB, MiB, GiB or TiB (write for example 50 MiB)\n");
}

TEST_CASE("a key given twice is refused, in any group") {
  CHECK(problems_of_variant("sm:\n  count: 130\n  count: 131\n") ==
        "v.yaml:4:3: key 'count' is given twice (first in line 3)\n");
  CHECK(problems_of_variant("sm: {count: 130}\nsm: {count: 131}\n") ==
        "v.yaml:3:1: key 'sm' is given twice (first in line 2)\n");
  CHECK(problems_of_variant("sm.count: 130\nsm:\n  count: 131\n") ==
        "v.yaml:4:3: 'sm.count' is given twice (first in line 2)\n");
}

TEST_CASE("octal numbers and infinities are refused although YAML knows them") {
  CHECK(problems_of_variant("sm:\n  count: 010\n") ==
        "v.yaml:3:10: 'sm.count': '010' is not a number (write for example 132)\n");
  CHECK(problems_of_variant("sm:\n  count: .inf\n") ==
        "v.yaml:3:10: 'sm.count': '.inf' is not a number (write for example 132)\n");
}

TEST_CASE("the kind and the source of a value must be known words") {
  CHECK(problems_of_variant("sm:\n  count: [132, vendro, h100wp]\n") ==
        "v.yaml:3:16: unknown kind 'vendro' (did you mean 'vendor'?)\n");
  CHECK(problems_of_variant("sm:\n  count: [132, vendor, h100pw]\n") ==
        "v.yaml:3:24: unknown source 'h100pw' (did you mean 'h100wp'?)\n");
  CHECK(problems_of_variant("sm:\n  count: [132, vendor]\n") ==
        "v.yaml:3:10: 'sm.count' lacks its kind or source (write count: [value, kind, source])\n");
  CHECK(problems_of_variant("sm:\n  count: [132, guess, because of this]\n").empty());
}

TEST_CASE("a group where a value belongs, and the other way round, is explained") {
  CHECK(problems_of_variant("sm:\n  count: {value: 3}\n") ==
        "v.yaml:3:10: 'sm.count' needs a value (write count: [value, kind, source])\n");
  CHECK(problems_of_variant("sm:\n  count:\n") ==
        "v.yaml:3:3: 'sm.count' needs a value (write count: [value, kind, source])\n");
  CHECK(problems_of_variant("sm:\n  scheduler: gto\n") ==
        "v.yaml:3:3: 'sm.scheduler' is a group of keys, not a value (known: policy, active_warps)\n");
  CHECK(problems_of_variant("name: [a, b, c]\n") == "v.yaml:2:7: 'name' needs a value (write name: text)\n");
}

TEST_CASE("explicit YAML tags are refused") {
  CHECK(problems_of_variant("sm:\n  count: !!int 3\n") ==
        "v.yaml:3:10: the value of 'sm.count' has the tag 'tag:yaml.org,2002:int' (write values without tags)\n");
}

TEST_CASE("what is not YAML is reported with its place") {
  const Folder folder;
  CHECK_THAT(problems_of(folder.write("v.yaml", "sm: [1, 2\nl2: }\n")), Catch::StartsWith("v.yaml:2:"));
  CHECK(problems_of(folder.write("v.yaml", "")) ==
        "v.yaml: is not an architecture (one YAML document with keys such as 'sm:' and 'l2:')\n");
  CHECK(problems_of(folder.write("v.yaml", "a: 1\n---\nb: 2\n")) ==
        "v.yaml: is not an architecture (one YAML document with keys such as 'sm:' and 'l2:')\n");
}

TEST_CASE("a file that is absent, a folder or huge is refused") {
  const Folder folder;
  CHECK_THAT(problems_of(folder.path() / "none.yaml"), Catch::Contains("none.yaml' does not exist"));
  CHECK_THAT(problems_of(folder.path()), Catch::Contains("is a folder, not a file"));
  CHECK_THAT(problems_of(folder.write("big.yaml", std::string(2 << 20, '#'))), Catch::Contains("is larger than 1 MiB"));
}

TEST_CASE("a symbolic link that leads back to itself is named as such") {
  const Folder folder;
  std::filesystem::create_symlink(folder.path() / "loop.yaml", folder.path() / "loop.yaml");
  CHECK_THAT(problems_of(folder.path() / "loop.yaml"), Catch::Contains("is a symbolic link that leads back to itself"));
}

TEST_CASE("a tab in the indentation is pointed at") {
  const Folder folder;
  CHECK(problems_of(folder.write("v.yaml", "name: x\nsm:\n\tcount: 3\n")) ==
        "v.yaml:3:1: a tab is not allowed here (indent with spaces)\n");
}

TEST_CASE("a quote that is never closed is pointed at") {
  const Folder folder;
  for (const std::string_view quote : {"\"", "'"}) {
    CHECK(
        problems_of(folder.write("v.yaml", "extends: h100\nname: " + std::string(quote) + "abc\nsm:\n  count: 3\n")) ==
        "v.yaml:2:7: is not YAML: 'this quote is never closed'\n");
  }
}

TEST_CASE("a quote that another one further down closes is asked about") {
  const Folder folder;
  CHECK_THAT(problems_of(folder.write("v.yaml", "extends: h100\nname: \"abc\nsm:\n  count: 3\ndescription: \"x\"\n")),
             Catch::Contains("(is a quote or a bracket above it left open?)"));
}

TEST_CASE("YAML that is nested too deeply is called that") {
  const Folder folder;
  CHECK_THAT(problems_of(folder.write("v.yaml", "sm: " + std::string(200'000, '['))),
             Catch::Contains("nested too deeply"));
}

TEST_CASE("deeply nested YAML is an error and no crash") {
  const Folder folder;
  CHECK_FALSE(problems_of(folder.write("v.yaml", "sm: " + std::string(200'000, '['))).empty());
  CHECK_FALSE(problems_of(folder.write("v.yaml", "sm: " + std::string(200'000, '{'))).empty());
  std::string stairs;
  for (int i = 0; i < 1000; ++i) {
    stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  CHECK_FALSE(problems_of(folder.write("v.yaml", stairs)).empty());
}

TEST_CASE("an alias that contains itself is an error and no hang") {
  const Folder folder;
  CHECK_FALSE(problems_of(folder.write("v.yaml", "sm: &a\n  sub_cores: *a\n  sm: *a\n")).empty());
}

TEST_CASE("a lacking group is one problem, a lacking key another") {
  const Folder folder;
  const std::string text = problems_of(folder.write("v.yaml", "name: x\nsm:\n  count: 3\n"));
  CHECK_THAT(text, Catch::Contains("v.yaml: lacks 'l2' (every key needs a value; 'extends:' takes the others from "
                                   "another file)\n"));
  CHECK_THAT(text, Catch::Contains("v.yaml: lacks 'sm.sub_cores' ("));
  CHECK_THAT(text, !Catch::Contains("'l2.bytes'"));
  CHECK_THAT(text, !Catch::Contains("peaks"));
}

TEST_CASE("extends in a circle is reported with the chain") {
  const Folder folder;
  folder.write("b.yaml", "extends: c\n");
  folder.write("c.yaml", "extends: a.yaml\n");
  CHECK_THAT(problems_of(folder.write("a.yaml", "extends: b.yaml\n")),
             Catch::Contains("c.yaml:1:10: 'extends' goes in a circle: a.yaml -> b.yaml -> c.yaml -> a.yaml\n"));
}

TEST_CASE("a long chain of extends is not called a circle") {
  const Folder folder;
  folder.write("0.yaml", "name: x\n");
  for (int i = 1; i <= 20; ++i) {
    folder.write(std::to_string(i) + ".yaml", "extends: " + std::to_string(i - 1) + ".yaml\n");
  }
  CHECK_THAT(problems_of(folder.path() / "20.yaml"), Catch::Contains("'extends' leads through more than 16 files"));
}

TEST_CASE("extends of a missing file lists near names") {
  const Folder folder;
  folder.write("h100.yaml", "name: x\n");
  CHECK(problems_of(folder.write("a.yaml", "extends: h10.yaml\n"))
            .find("a.yaml:1:10: 'extends' names 'h10.yaml', which is not there (did you mean 'h100.yaml'?)\n") == 0);
}

TEST_CASE("a base that is not beside its variant is searched by name in the folders given") {
  const Folder folder;
  const std::array folders{kConfigs};
  const auto variant = folder.write("a.yaml", "extends: h100.yaml\nname: X\n");
  CHECK(load_arch(variant, {}, folders).sm.count == load_arch(kConfigs / "h100.yaml", {}).sm.count);
  CHECK(load_arch(folder.write("b.yaml", "extends: a\n"), {}, folders).name == "X");
  CHECK_THROWS_WITH(load_arch(folder.write("c.yaml", "extends: h10.yaml\n"), {}, folders),
                    Catch::Matchers::Contains("'h10.yaml', which is not there (did you mean 'h100.yaml'?)"));
  CHECK_THROWS_WITH(load_arch(folder.write("d.yaml", "extends: ../h100.yaml\n"), {}, folders),
                    Catch::Matchers::Contains("which is not there"));
}

TEST_CASE("many unknown keys of a file are one line, with some of the words") {
  const Folder folder;
  std::string text = "extends: " + (kConfigs / "h100.yaml").string() + "\nsm:\n";
  for (int i = 10; i < 60; ++i) {
    text += "  zzzzzzzz" + std::to_string(i) + ": 3\n";
  }
  CHECK_THROWS_WITH(load_arch(folder.write("v.yaml", text), {}),
                    Catch::Contains("v.yaml:3:3: unknown key 'sm.zzzzzzzz10' (known: ") &&
                        Catch::Contains("; 49 more lines like this (4 to 52): 'sm.zzzzzzzz11', ") &&
                        !Catch::Contains("\n"));
}

TEST_CASE("extends finds a name of the folders whatever its capitals, as --arch does") {
  const Folder folder;
  const std::array folders{kConfigs};
  const auto base_of = [&](const std::string& name) {
    return load_arch(folder.write("v.yaml", "extends: " + name + "\n"), {}, folders).name;
  };
  const std::string h100 = load_arch(kConfigs / "h100.yaml", {}).name;
  CHECK(base_of("H100") == h100);
  CHECK(base_of("H100.yaml") == h100);
  CHECK_THROWS_WITH(base_of("./H100"), Catch::Matchers::Contains("'extends' names './H100', which is not there"));
}

TEST_CASE("extends of a name without its extension is answered with the nearest name") {
  const Folder folder;
  const std::array folders{kConfigs};
  CHECK_THROWS_WITH(load_arch(folder.write("v.yaml", "extends: H10\n"), {}, folders),
                    Catch::Matchers::Contains("'extends' names 'H10', which is not there (did you mean 'h100'?)"));
}

TEST_CASE("a variant may not redefine a source of its base") {
  CHECK(problems_of_variant("sources:\n  h100wp: something else\n") ==
        "v.yaml:3:3: source 'h100wp' means something else in the extended file (choose another name)\n");
}

TEST_CASE("a class marked unsupported by the base can be given numbers, and back") {
  const Folder folder;
  const std::string base = "extends: " + (kConfigs / "h100.yaml").string() + "\n";
  const auto hmma884 = static_cast<std::size_t>(isa::TimingClass::kHmma884F32);
  CHECK_FALSE(h100().sm.timing[hmma884].supported);
  const std::string numbers = "sm: {timing: {hmma_884_f32: {latency: 8, interval: 2}, dmma_884: unsupported}}\n";
  const Arch arch = load_arch(folder.write("v.yaml", base + numbers), {});
  CHECK(arch.sm.timing[hmma884].supported);
  CHECK(arch.sm.timing[hmma884].latency == 8);
  CHECK_FALSE(arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kDmma884)].supported);
}

TEST_CASE("a class without numbers that the base lacks can be supported again") {
  const Folder folder;
  const auto matrix_load = static_cast<std::size_t>(isa::TimingClass::kMatrixLoad);
  CHECK(h100().sm.timing[matrix_load].supported);
  folder.write("base.yaml",
               "extends: " + (kConfigs / "h100.yaml").string() + "\nsm: {timing: {matrix_load: unsupported}}\n");
  const auto variant = folder.write("v.yaml", "extends: base.yaml\nsm: {timing: {matrix_load: supported}}\n");
  CHECK_FALSE(load_arch(folder.path() / "base.yaml", {}).sm.timing[matrix_load].supported);
  CHECK(load_arch(variant, {}).sm.timing[matrix_load].supported);
  CHECK(problems_of_variant("sm: {timing: {fma: supported}}\n") != "");
}

TEST_CASE("an architecture is found by path or by name, and a wrong name lists near ones") {
  const std::vector<std::filesystem::path> folders{"/nonexistent", kConfigs};
  CHECK(resolve_arch_path("h100", folders) == kConfigs / "h100.yaml");
  CHECK(resolve_arch_path("H100", folders) == kConfigs / "h100.yaml");
  CHECK(resolve_arch_path("a100.yaml", folders) == kConfigs / "a100.yaml");
  CHECK(resolve_arch_path((kConfigs / "a100.yaml").string(), {}) == kConfigs / "a100.yaml");
  CHECK_THROWS_WITH(resolve_arch_path("h10", folders), "no architecture 'h10' (did you mean 'h100'?)");
  CHECK_THROWS_WITH(resolve_arch_path("cray", folders), Catch::StartsWith("no architecture 'cray' (known: a100"));
  CHECK_THROWS_AS(resolve_arch_path("", folders), InputError);
}

TEST_CASE("a listing has every file once, by name, and says what is wrong with a broken one") {
  const Folder first;
  const Folder second;
  const std::string base = "extends: " + (kConfigs / "a100.yaml").string() + "\n";
  first.write("b.yaml", "nonsense: 1\n");
  first.write("notes.txt", "");
  second.write("b.yaml", base);
  second.write("a.yaml", base + "name: Mine\n");
  const std::vector<std::filesystem::path> folders{first.path(), "/nonexistent", second.path()};
  const std::vector<ArchFile> files = list_archs(folders);
  REQUIRE(files.size() == 2);
  CHECK(files[0].name == "a");
  CHECK(files[0].title == "Mine");
  CHECK(files[0].description == "Ampere, 108 SMs, 40 MiB L2, HBM2e at 2.04 TB/s");
  CHECK(files[1].file == first.path() / "b.yaml");
  CHECK(files[1].title.empty());
  CHECK_THAT(files[1].description, Catch::Contains("unknown key 'nonsense'"));
}

TEST_CASE("keys of a timing class that would decide nothing do not exist") {
  const Folder folder;
  const auto problems_with = [&folder](const std::string& timing) {
    return problems_of(
        folder.write("v.yaml", "extends: " + (kConfigs / "h100.yaml").string() + "\nsm: {timing: " + timing + "}\n"));
  };
  CHECK(problems_with("{shuffle: {latency: 30}}").empty());
  CHECK_THAT(problems_with("{shuffle: {interval: 2}}"), Catch::Contains("unknown key 'sm.timing.shuffle.interval'"));
  CHECK_THAT(problems_with("{memory: {latency: 30}}"), Catch::Contains("unknown key 'sm.timing.memory'"));
  CHECK_THAT(problems_with("{barrier: {latency: 30}}"), Catch::Contains("unknown key 'sm.timing.barrier'"));
  CHECK_THAT(problems_with("{none: {latency: 30}}"), Catch::Contains("unknown key 'sm.timing.none'"));
}

TEST_CASE("what a GPU inherits as a guess is a guess that names where it comes from") {
  const Folder folder;
  const std::filesystem::path file =
      folder.write("v.yaml", "extends: " + (kConfigs / "h100.yaml").string() +
                                 "\ninherited: guess\nname: another\nl2:\n  ways: [10, vendor, occ]\n");
  const Arch arch = load_arch(file, {});
  const auto guess = [&arch](std::string_view key) { return std::ranges::find(arch.guesses, key, &Guess::key); };
  REQUIRE(guess("sm.limits.warps_per_sm") != arch.guesses.end());
  CHECK(guess("sm.limits.warps_per_sm")->kind == SourceKind::kGuess);
  CHECK_THAT(guess("sm.limits.warps_per_sm")->source, Catch::Contains("as on H100 SXM5 80GB (vendor); NVIDIA H100"));
  CHECK(guess("l2.ways") == arch.guesses.end());
}

TEST_CASE("a GPU that inherits guesses has no vendor's figures but its own") {
  const Folder folder;
  const std::filesystem::path file =
      folder.write("v.yaml", "extends: " + (kConfigs / "h100.yaml").string() + "\ninherited: guess\nname: another\n");
  CHECK(load_arch(file, {}).peaks.empty());
}

TEST_CASE("'inherited' takes one word") {
  CHECK(problems_of_variant("inherited: vendor\n") == "v.yaml:2:12: 'inherited' is 'vendor' (allowed: guess)\n");
  CHECK(problems_of_variant("inherited: [guess]\n") == "v.yaml:2:12: 'inherited' must be one word or text\n");
}

TEST_CASE("a hostile word is shortened and shows no control characters") {
  const Folder folder;
  const std::string text = problems_of(folder.write("v.yaml", std::string(500, 'z') + ": 1\n\"a\\e[31m\": 2\n"));
  CHECK_THAT(text, Catch::Contains("unknown key '" + std::string(60, 'z') + "...' ("));
  CHECK_THAT(text, Catch::Contains("unknown key 'a?[31m' ("));
}

}  // namespace reader_test
