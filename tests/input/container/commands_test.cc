// SPDX-License-Identifier: MIT
// What kernels ask of mbarriers and of the TMA, and of other CTAs of their cluster, goes into a container and comes out
// of it; containers from before that are read as well.
#include "tests/input/accelsim/commands.h"

#include <catch2/catch.hpp>

#include "sim/input/container/file.h"
#include "sim/input/container/form.pb.h"

#include "tests/input/container/support.h"

namespace container_commands_test {

using namespace gpusim;
using namespace gpusim::testing;
using namespace gpusim::test;
using Catch::Contains;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

trace::Trace stored(const Folder& folder, const trace::Trace& trace) {
  container::write(trace, folder.path() / "stored.trace");
  return container::load(folder.path() / "stored.trace");
}

/// The same behaviour, and the same time.
void check_same(const trace::Trace& a, const trace::Trace& b) {
  CHECK(difference(a.kernels[0], b.kernels[0]) == "");
  CHECK(behaviour_difference(a.kernels[0], b.kernels[0]) == "");
  const stats::KernelResult of_a = run(a);
  const stats::KernelResult of_b = run(b);
  CHECK(of_a.cycles == of_b.cycles);
  CHECK(of_a.dsmem.requests == of_b.dsmem.requests);
  CHECK(of_a.l1.bulk_sectors == of_b.l1.bulk_sectors);
}

/// Two CTAs of a cluster: a copy to both, arrivals at each other's mbarrier, a load from each other.
trace::Trace recorded(const Folder& folder) {
  const auto cta = [](unsigned rank, const Lines& copy) {
    const std::string other = hex(0x1000000U * (1 - rank));
    const std::string remote = "0x" + hex(0x1000000U * (1 - rank) + 0x408);
    return Lines{initialise("0010", "0x400", 1), initialise("0018", "0x408", 1)} + kClusterBarrier +
           Lines{arrive("0030", "0x400", "", 2048)} + copy +
           Lines{wait_for("0060", "0x400", 0), arrive("0070", remote, ".RED.A1T0"), wait_for("0080", "0x408", 0),
                 "0090 ffffffff 1 R6 LD.E 1 R2 4 1 0x" + hex(0x7f0000000800 + 0x1000000ULL * (1 - rank)) +
                     " 4 0 0 NoVal"} +
           kClusterBarrier + Lines{kEnd};
  };
  const Tracez file = recording_of({{cta(0, {load_box("0040", "0x400", 16, "0x0003")})}, {cta(1, {})}});
  return frontend::accelsim::load_accelsim(folder.write("k.tracez", file.bytes()));
}

}  // namespace

TEST_CASE("a container has what a recording of Hopper asks of mbarriers, the TMA and its cluster") {
  const Folder folder;
  const trace::Trace trace = recorded(folder);
  REQUIRE(trace.warnings.empty());
  const trace::Trace again = stored(folder, trace);
  REQUIRE(again.kernels[0].mbarriers.size() == 1);
  CHECK(again.kernels[0].mbarriers[0].count == trace.kernels[0].mbarriers[0].count);
  check_same(trace, again);
  CHECK(run(again).dsmem.multicast_sectors == 2048 / 32);
}

TEST_CASE("a container has the boxes that a program's bulk copies move, cut at the edges of their tensors") {
  const Folder folder;
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (3)\nblock (32)\nbuffer x f32[4096]\nshared static 8192\n"
      "shared_buffer s f32[2048] at 0\ntensor_map t f32(40, 64) over x box (16, 4)\ncode\n"
      "UTMASTG.2D [UR8], [UR4] @ t[16*ctaid.x, 62] <- s\nUTMACMDFLUSH\nEXIT\nend\n",
      "inline.trace", {});
  check_same(trace, stored(folder, trace));
}

TEST_CASE("a container of the version before is read, and its recording asks nothing of engines") {
  const Folder folder;
  const trace::Trace trace = load_text(GPUSIM_SOURCE_DIR "/traces/saxpy.trace");
  const std::filesystem::path path = folder.path() / "x.trace";
  container::write(trace, path);
  container::File file(path);
  const container::Section at = file.index();
  const std::uint64_t sections = file.size() - container::kEndBytes - at.stored;
  container::form::Index index;
  REQUIRE(index.ParseFromString(container::unpack(file.read(sections, at.stored), at, "")));
  CHECK(index.version() == 3);
  index.clear_version();
  container::Section section;
  const std::string packed = container::pack(index.SerializeAsString(), "", section);
  std::string bytes = bytes_of(path).substr(0, sections) + packed + container::end_of_file(section);
  CHECK_THAT(refusal(folder.write("mixed.trace", bytes)), Contains("the versions of its beginning and its end"));
  bytes[container::kMagic.size()] = 2;
  const trace::Trace old = container::load(folder.write("old.trace", bytes));
  CHECK(behaviour_difference(trace.kernels[0], old.kernels[0]) == "");
}

}  // namespace container_commands_test
