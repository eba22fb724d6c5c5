// SPDX-License-Identifier: MIT
// What kernels ask of mbarriers and of the TMA, and of other CTAs of their cluster, goes into a container and comes out
// of it; containers from before that are read as well.
#include "tests/input/accelsim/commands.h"

#include <catch2/catch.hpp>

#include "sim/base/address_space.h"
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

/// A warp of two CTAs of a cluster that does instruction 0, with the command or the access that a test says, and
/// leaves.
struct Commanding {
  trace::Kernel kernel;

  explicit Commanding(const std::string& instruction)
      : kernel(frontend::load_trace_text(
                   "gpusim trace 1\nkernel k\ngrid (2)\ncluster (2)\nblock (32)\nshared static 4096\n"
                   "buffer x f32[1024]\nshared_buffer s f32[512] at 1024\nmbarrier b[2] at 0\ncode\n" +
                       instruction + "\nEXIT\nend\n",
                   "t.trace", {})
                   .kernels[0]) {}

  void write(const std::filesystem::path& path, const trace::AsyncOperands& operands, std::uint32_t rank) const {
    container::Writer writer(path);
    trace::WarpSink& sink = writer.begin_kernel(kernel);
    for (std::uint64_t cta = 0; cta < 2; ++cta) {
      sink.begin_warp(cta, 0);
      sink.step(0, 1, 1);
      if (kernel.code[0].is_memory()) {
        std::array<Address, kWarpLanes> addresses{};
        addresses.fill((Address{rank} << kRankBit) + 1024);
        sink.access(trace::AccessSlot::kPrimary, addresses, 1);
      } else {
        sink.command(operands, rank);
      }
      sink.step(1, kAllLanes, kAllLanes);
      sink.end_warp();
    }
    writer.end_kernel();
    writer.finish({});
  }

  /// What walking through the container is refused with; "" when it is not.
  [[nodiscard]] std::string walk_refusal(const trace::AsyncOperands& operands, std::uint32_t rank) const {
    const Folder folder;
    write(folder.path() / "x.trace", operands, rank);
    const trace::Trace again = container::load(folder.path() / "x.trace");
    try {
      trace::Walker walker(again.kernels[0], trace::cta_at(1, kernel.grid), 0);
      for (trace::Step step; walker.next(step);) {
        static_cast<void>(walker.async_operands());
        static_cast<void>(walker.target_rank());
      }
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }
};

/// A container whose head says something else.
std::string with_head(const std::filesystem::path& path, const container::form::Head& head) {
  container::File file(path);
  const container::Section at = file.index();
  const std::uint64_t sections = file.size() - container::kEndBytes - at.stored;
  container::form::Index index;
  REQUIRE(index.ParseFromString(container::unpack(file.read(sections, at.stored), at, "")));
  container::form::Sections& all = *index.mutable_sections();
  const int last = all.stored_size() - 1;
  container::Section section;
  const std::string packed = container::pack(head.SerializeAsString(), "", section);
  const std::string before = bytes_of(path).substr(0, sections - all.stored(last));
  all.set_stored(last, section.stored);
  all.set_bytes(last, section.bytes);
  all.set_checksums(last, section.checksum);
  container::Section end;
  const std::string packed_index = container::pack(index.SerializeAsString(), "", end);
  return before + packed + packed_index + container::end_of_file(end);
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

TEST_CASE("a container has copies between the shared memories of a cluster") {
  const Folder folder;
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (4)\ncluster (2)\nblock (32)\nshared static 8192\n"
      "shared_buffer s f32[1024] at 1024\nmbarrier b[1] at 0\ncode\nif P1: lane == 0\n"
      "SYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] init 1\nend\nUCGABAR_ARV\nUCGABAR_WAIT\nif P2: lane == 0\n"
      "UBLKCP.S.S [UR8], [UR5], UR6 @ s[516] in cta (cluster_ctarank ^ 1) <- s bytes 1024 signals b[0]\n"
      "UBLKRED.S.S.ADD [UR8], [UR5], UR6 @ s[512] in cta (0) <- s bytes 512 signals b[0]\nend\n"
      "NANOSLEEP 0x1000\nUCGABAR_ARV\nUCGABAR_WAIT\nEXIT\nend\n",
      "inline.trace", {});
  check_same(trace, stored(folder, trace));
  const stats::KernelResult result = run(stored(folder, trace));
  CHECK(result.dsmem.write_sectors == 4 * 33);
  CHECK(result.dsmem.atomic_sectors == 4 * 16);
}

TEST_CASE("ranks that a container's clusters do not have are refused when a warp gets there") {
  using trace::AsyncAction;
  const Commanding arriving("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (1)");
  trace::AsyncOperands arrives;
  arrives.action = AsyncAction::kArrive;
  arrives.barrier = 1;
  arrives.count = 1;
  CHECK(arriving.walk_refusal(arrives, 1) == "");
  CHECK_THAT(arriving.walk_refusal(arrives, 2),
             Contains("warp 0 of CTA 1 names rank 2 of a cluster of 2 (is the recording damaged?)"));
  const Commanding loading("UBLKCP.S.G.MULTICAST [UR8], [UR10], UR11 @ s <- x bytes 64 signals b[0] multicast 3");
  trace::AsyncOperands loads;
  loads.action = AsyncAction::kLoad;
  loads.barrier = 0;
  loads.bytes = 64;
  loads.global = 0x7f0000000000;
  loads.multicast = 3;
  CHECK(loading.walk_refusal(loads, 0) == "");
  loads.multicast = 4;
  CHECK_THAT(loading.walk_refusal(loads, 0), Contains("warp 0 of CTA 1 asks for ranks of mask 4"));
  const Commanding reading("LD.E R4, [R2] @ s[0] in cta (1)");
  CHECK(reading.walk_refusal({}, 1) == "");
  CHECK_THAT(reading.walk_refusal({}, 9), Contains("warp 0 of CTA 1 names rank 9 of a cluster of 2"));
}

TEST_CASE("a copy between shared memories that cannot be is refused when a warp of a container gets there") {
  using trace::AsyncOperands;
  const Commanding moving("UBLKCP.S.S [UR8], [UR5], UR6 @ s[256] in cta (1) <- s bytes 64 signals b[0]");
  AsyncOperands moves;
  moves.action = trace::AsyncAction::kMove;
  moves.barrier = 1;
  moves.bytes = 64;
  moves.global = 2048;
  CHECK(moving.walk_refusal(moves, 1) == "");
  CHECK_THAT(moving.walk_refusal(moves, 2), Contains("names rank 2 of a cluster of 2"));
  const auto refusal_with = [&](auto AsyncOperands::*field, auto value) {
    AsyncOperands wrong = moves;
    wrong.*field = value;
    return moving.walk_refusal(wrong, 1);
  };
  const std::string copies = "warp 0 of CTA 1 copies 64 bytes between shared memories to byte ";
  CHECK_THAT(refusal_with(&AsyncOperands::bytes, std::uint64_t{24}), Contains("copies 24 bytes between"));
  CHECK_THAT(refusal_with(&AsyncOperands::global, Address{8}), Contains(copies + "8"));
  CHECK_THAT(refusal_with(&AsyncOperands::global, Address{1} << 24), Contains(copies + "16777216"));
  CHECK_THAT(refusal_with(&AsyncOperands::multicast, std::uint16_t{1}), Contains(copies));
  CHECK_THAT(refusal_with(&AsyncOperands::barrier, AsyncOperands::kNoBarrier), Contains(copies));
  CHECK_THAT(refusal_with(&AsyncOperands::action, static_cast<trace::AsyncAction>(15)), Contains("asks for action 15"));
}

TEST_CASE("a container whose commands are those of other instructions is simulated all the same") {
  trace::AsyncOperands moves;
  moves.action = trace::AsyncAction::kMove;
  moves.barrier = 0;
  moves.bytes = 64;
  for (const char* const instruction : {"UBLKPF [UR8], UR6 @ x bytes 64", "SYNCS.CCTL.IV [UR4] @ b[0]"}) {
    const Folder folder;
    Commanding(instruction).write(folder.path() / "x.trace", moves, 1);
    CHECK(run(container::load(folder.path() / "x.trace")).dsmem.requests == 0);
  }
}

TEST_CASE("a container of unknown origin is refused") {
  const Folder folder;
  const std::filesystem::path path = folder.path() / "x.trace";
  container::write(load_text(GPUSIM_SOURCE_DIR "/traces/saxpy.trace"), path);
  container::form::Head head;
  head.set_title("any");
  for (const std::string_view origin : kTraceOrigins) {
    head.set_origin(std::string(origin));
    CHECK(refusal(folder.write("same.trace", with_head(path, head))) == "");
  }
  for (const char* const origin : {"", "dreamt", "program "}) {
    head.set_origin(origin);
    CHECK_THAT(refusal(folder.write("other.trace", with_head(path, head))),
               Contains("is damaged") && Contains("the words of its origin"));
  }
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
