// SPDX-License-Identifier: MIT
#include "sim/model/arch/overrides.h"

#include <catch2/catch.hpp>

#include "sim/model/arch/schema.h"

#include "tests/model/arch/support.h"

namespace overrides_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

TEST_CASE("--set is split at its first equals sign") {
  CHECK(parse_override("sm.count=160").key == "sm.count");
  CHECK(parse_override("name=a=b").value == "a=b");
  CHECK_THROWS_AS(parse_override("sm.count"), UsageError);
  CHECK_THROWS_AS(parse_override("=3"), UsageError);
}

TEST_CASE("--set changes any key, in the key's units") {
  CHECK(h100({{"l2.bytes", "25 MiB"}}).l2.bytes == 25ULL << 20);
  CHECK(h100({{"sm.timing.fma.interval", "25/4"}}).sm.timing[1].interval == Ratio{25, 4});
  CHECK(h100({{"sm.shared.carveouts", "0 KiB, 228 KiB"}}).sm.shared.carveouts.size() == 2);
  CHECK(h100({{"noc.model", "ideal"}}).noc.model == arch::NocModel::kIdeal);
}

TEST_CASE("a value that is only said again keeps its source: a guess stays a guess") {
  const std::string file = dump_arch(kConfigs / "h100.yaml", {});
  CHECK(dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"l2.bytes", "51200 KiB"}}) == file);
  CHECK(dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"sm.count", "132"}}) == file);
  CHECK(dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"dram.bandwidth", "3352.32 GB/s"}}) == file);
  CHECK(dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"l2.bytes", "25 MiB"}}) != file);
}

TEST_CASE("a number of SMs that is only said again regroups them where the GPCs have other sizes") {
  CHECK(h100({{"sm.count", "132"}, {"noc.max_sms_per_gpc", "16"}}).noc.gpcs == 9);
}

TEST_CASE("--set is as strict as a file and points at the option") {
  CHECK(problems_of_set({{"sm.count", "0"}}) ==
        "--set sm.count: 'sm.count': '0' is out of range (allowed: 1 to 1024)\n");
  CHECK(problems_of_set({{"sm.cuont", "3"}}) == "--set sm.cuont: unknown key 'sm.cuont' (did you mean 'sm.count'?)\n");
  CHECK(problems_of_set({{"l2", "3"}}).find("--set l2: is a group of keys (known: model, bytes") == 0);
  CHECK(problems_of_set({{"sm.count", "3"}, {"sm.count", "4"}}) == "--set sm.count: is given twice\n");
}

TEST_CASE("many unknown keys of --set are one line") {
  std::vector<Override> overrides;
  for (int i = 10; i < 40; ++i) {
    overrides.push_back({"sm.zzzzzzzz" + std::to_string(i), "3"});
  }
  CHECK_THROWS_WITH(h100(overrides),
                    Catch::StartsWith("--set sm.zzzzzzzz10: unknown key 'sm.zzzzzzzz10' (in 'sm', known: ") &&
                        Catch::Contains("; 29 more like this: --set sm.zzzzzzzz11, ") && !Catch::Contains("\n"));
}

TEST_CASE("a number of impossible size or form is answered with the allowed range, in --set as in a file") {
  CHECK(problems_of_set({{"sm.count", "-3"}}) == "--set sm.count: 'sm.count': '-3' is negative (allowed: 1 to 1024)\n");
  CHECK(problems_of_set({{"sm.count", "1e12"}}) ==
        "--set sm.count: 'sm.count': '1e12' has an exponent, which is not read (allowed: 1 to 1024)\n");
  CHECK(problems_of_set({{"sm.count", "1000000000000"}}) ==
        "--set sm.count: 'sm.count': '1000000000000' is out of range (allowed: 1 to 1024)\n");
  CHECK(problems_of_set({{"sm.count", "1000000000000000000"}}) ==
        "--set sm.count: 'sm.count': '1000000000000000000' is too large: a number has at most 15 digits (allowed: 1 to "
        "1024)\n");
  CHECK(problems_of_set({{"dram.bandwidth", "-3 TB/s"}}) ==
        "--set dram.bandwidth: '-3 TB/s' is negative (allowed: 1 MB/s to 1000 TB/s)\n");
  const Folder folder;
  const std::string text =
      "extends: " + (kConfigs / "h100.yaml").string() + "\nsm: {count: [-3, guess, \"a test of mine\"]}\n";
  CHECK_THAT(problems_of(folder.write("v.yaml", text)),
             Catch::Contains("'sm.count': '-3' is negative (allowed: 1 to 1024)\n"));
}

TEST_CASE("a derived override that is misspelt is recognised") {
  CHECK(problems_of_set({{"dram.bandwith", "4.8 TB/s"}}) ==
        "--set dram.bandwith: unknown key 'dram.bandwith' (did you mean 'dram.bandwidth'?)\n");
}

TEST_CASE("a key by another name is recognised: without its group, by a synonym, by a part of its last word") {
  CHECK(suggest_key("l1.hit_latency") == "did you mean 'sm.l1.hit_latency'?");
  CHECK(suggest_key("l2.size") == "did you mean 'l2.bytes'?");
  CHECK(suggest_key("dram.size") == "did you mean 'dram.capacity_bytes'?");
  CHECK(suggest_key("l2.interleave") == "did you mean 'l2.interleave_bytes'?");
  std::string launch;
  for (const std::string_view key : children_of("launch")) {
    launch += (launch.empty() ? "" : ", ") + std::string(key);
  }
  CHECK(suggest_key("launch.giraffes") == "in 'launch', known: " + launch);
  CHECK(suggest_key("giraffes") == "docs/architecture-keys.md lists all keys");
}

TEST_CASE("a value that was set is not a guess") {
  for (const Guess& guess : h100({{"l2.ways", "10"}}).guesses) {
    CHECK(guess.key != "l2.ways");
  }
}

TEST_CASE("dram.bandwidth scales the pin rate and keeps nanoseconds") {
  const Arch base = h100();
  const Arch arch = h100({{"dram.bandwidth", "4.8TB/s"}});
  CHECK(arch.dram.command_hz == 1'875'000'000);  // 4.8e12 x 2 clocks / (160 channels x 32 bytes)
  CHECK(arch.clocks.memory == 3'750'000'000);
  CHECK(arch.dram.peak_bytes_per_second() == Approx(4.8e12));
  CHECK(arch.dram.timing.CCDS == base.dram.timing.CCDS);
  CHECK(base.dram.timing.RCDRD == 26);  // 19.375 ns at 1309.5 MHz
  CHECK(arch.dram.timing.RCDRD == 37);  // 19.375 ns at 1875 MHz
  CHECK(arch.dram.channels == base.dram.channels);
}

TEST_CASE("a clock that follows from a bandwidth is written in MHz, to the last digit") {
  const Resolved resolved =
      resolve_arch(kConfigs / "h100.yaml", std::vector<Override>{{"dram.bandwidth", "3.333 TB/s"}});
  CHECK(resolved.sheet.find("clocks.memory")->text == "2603.90625 MHz");
  CHECK(resolved.arch.clocks.memory == 2'603'906'250);
}

TEST_CASE("dram.bandwidth contradicts the clocks it would set") {
  CHECK(problems_of_set({{"dram.bandwidth", "4.8 TB/s"}, {"dram.command_hz", "1 GHz"}}) ==
        "--set dram.bandwidth: contradicts --set dram.command_hz (give one of the two)\n");
  CHECK(problems_of_set({{"dram.bandwidth", "4.8"}}) ==
        "--set dram.bandwidth: '4.8' lacks a unit: B/s, MB/s, GB/s or TB/s (write for example 3.35 TB/s)\n");
}

TEST_CASE("clocks.memory brings the command clock with it") {
  const Arch base = h100({});
  const Arch arch = h100({{"clocks.memory", "3.2 GHz"}});
  const double factor = 3.2e9 / static_cast<double>(base.clocks.memory);
  CHECK(arch.dram.peak_bytes_per_second() == Approx(base.dram.peak_bytes_per_second() * factor));
}

TEST_CASE("what follows from a key follows in a file that extends another, too") {
  const Folder folder;
  const std::string extends = "extends: " + (kConfigs / "h100.yaml").string() + "\n";
  const auto arch_of = [&](const std::string& text) { return load_arch(folder.write("v.yaml", extends + text), {}); };
  CHECK(arch_of("sm: {count: 160}\n").noc.gpcs == h100({{"sm.count", "160"}}).noc.gpcs);
  CHECK(arch_of("dram: {bandwidth: 4.8 TB/s}\n").dram.peak_bytes_per_second() == Approx(4.8e12));
  CHECK(arch_of("dram: {bandwidth: [4.8 TB/s, guess, user]}\n").dram.peak_bytes_per_second() == Approx(4.8e12));
  CHECK(arch_of("clocks: {memory: 3.2 GHz}\n").dram.command_hz == h100({{"clocks.memory", "3.2 GHz"}}).dram.command_hz);
  CHECK(arch_of("dram: {stacks: 6}\n").l2.slices == 96);
}

TEST_CASE("a key that the file gives itself does not follow") {
  const Folder folder;
  const std::string extends = "extends: " + (kConfigs / "h100.yaml").string() + "\n";
  CHECK(load_arch(folder.write("v.yaml", extends + "sm: {count: 144}\nnoc: {gpcs: 9}\n"), {}).noc.gpcs == 9);
}

TEST_CASE("keys of a file that contradict each other are both named") {
  const Folder folder;
  const std::string extends = "extends: " + (kConfigs / "h100.yaml").string() + "\n";
  CHECK(problems_of(folder.write("v.yaml", extends + "clocks: {memory: 3 GHz}\ndram: {bandwidth: 4 TB/s}\n")) ==
        "v.yaml:3:19: 'dram.bandwidth' contradicts 'clocks.memory' (give one of the two)\n");
}

TEST_CASE("nothing else is said of keys that contradict each other") {
  CHECK(problems_of_set({{"dram.bandwidth", "4 TB/s"}, {"clocks.memory", "3 GHz"}}) ==
        "--set dram.bandwidth: contradicts --set clocks.memory (give one of the two)\n");
}

TEST_CASE("a bandwidth needs a file to extend") {
  const Folder folder;
  CHECK_THAT(problems_of(folder.write("v.yaml", "dram: {bandwidth: 4 TB/s}\n")),
             Catch::Contains("v.yaml:1:8: 'dram.bandwidth' changes what a file extends, and this one extends none"));
}

TEST_CASE("dram.stacks brings its channels, partitions, slices and L2 with it") {
  const Arch arch = h100({{"dram.stacks", "6"}});
  CHECK(arch.dram.channels == 192);
  CHECK(arch.dram.capacity_bytes == 96ULL << 30);
  CHECK(arch.l2.partitions == 12);
  CHECK(arch.l2.slices == 96);
  CHECK(arch.l2.bytes == 60ULL << 20);
}

TEST_CASE("a key that was set itself does not follow dram.stacks") {
  CHECK(h100({{"dram.stacks", "6"}, {"dram.capacity_bytes", "141 GiB"}}).dram.capacity_bytes == 141ULL << 30);
}

TEST_CASE("what a stack has no whole share of must be set too") {
  CHECK(problems_of_set({{"dram.stacks", "6"}, {"dram.channels", "192"}, {"l2.partitions", "12"}}).empty());
  const Folder folder;
  const std::string text =
      "extends: " + (kConfigs / "h100.yaml").string() + "\nl2: {partitions: 4}\n";  // 4 partitions for 5 stacks
  CHECK_THAT(problems_of(folder.write("v.yaml", text), {{"dram.stacks", "6"}}),
             Catch::StartsWith("--set dram.stacks: 'l2.partitions' has no whole share for each of 5 stacks (set "
                               "'l2.partitions' too)\n"));
}

TEST_CASE("bandwidth applies to the stacks that were set") {
  const Arch arch = h100({{"dram.bandwidth", "4.8 TB/s"}, {"dram.stacks", "6"}});
  CHECK(arch.dram.peak_bytes_per_second() == Approx(4.8e12));
  CHECK(arch.dram.channels == 192);
}

TEST_CASE("sm.count regroups the GPCs at the GPU's most SMs a GPC") {
  CHECK(h100({{"sm.count", "160"}}).noc.gpcs == 9);
  CHECK(h100({{"sm.count", "18"}}).noc.gpcs == 1);
  CHECK(h100({{"sm.count", "160"}, {"noc.gpcs", "10"}}).noc.gpcs == 10);
}

}  // namespace overrides_test
