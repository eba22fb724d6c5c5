// SPDX-License-Identifier: MIT
// Damaged containers are refused, and say why. Those whose checksums are right are a target in tests/fuzz.
#include <random>

#include <catch2/catch.hpp>

#include "sim/input/container/file.h"
#include "sim/input/container/form.pb.h"

#include "tests/input/container/support.h"

using namespace gpusim;
using namespace gpusim::testing;
using Catch::Contains;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A small container: two kernels, divergence, shared memory.
std::string sound_container(const Folder& folder) {
  trace::Trace trace;
  for (const char* name : {"divergence", "sgemm_tiled"}) {
    trace::Kernel kernel = load_text(std::string(GPUSIM_SOURCE_DIR "/traces/") + name + ".trace").kernels[0];
    kernel.grid = {1, 1, 1};
    trace.kernels.push_back(kernel);
  }
  trace.copies = {{0x7f0000000000, 64, 0}};
  const std::filesystem::path file = folder.path() / "sound.trace";
  container::write(trace, file);
  return bytes_of(file);
}

}  // namespace

TEST_CASE("a container with any byte changed is refused") {
  const Folder folder;
  const std::string sound = sound_container(folder);
  REQUIRE(refusal(folder.write("x.trace", sound)) == "");
  std::mt19937 random(3);
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string bytes = sound;
    bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << random() % 8));
    INFO("byte " << at);
    REQUIRE(refusal(folder.write("x.trace", bytes)) != "");
  }
}

TEST_CASE("a container that is cut off or goes on too long is refused") {
  const Folder folder;
  const std::string sound = sound_container(folder);
  for (std::size_t size = 0; size < sound.size(); size += 7) {
    REQUIRE_THAT(refusal(folder.write("x.trace", sound.substr(0, size))), Contains("x.trace"));
  }
  CHECK(refusal(folder.write("x.trace", sound + '\0')) != "");
  CHECK_THAT(refusal(folder.write("x.trace", sound.substr(0, sound.size() / 2))), Contains("cut off after"));
}

TEST_CASE("a container of a newer version is refused with both versions") {
  const Folder folder;
  std::string bytes = sound_container(folder);
  bytes[container::kMagic.size()] = 7;
  CHECK_THAT(refusal(folder.write("x.trace", bytes)),
             Contains("is a container of version 7 (this program reads versions 2 to 3; a newer one may read it)"));
}

TEST_CASE("code that would take too much memory is refused before any of it is decoded") {
  const Folder folder;
  trace::Trace trace;
  const trace::Kernel kernel = load_text(GPUSIM_SOURCE_DIR "/traces/saxpy.trace").kernels[0];
  for (int i = 0; i < 5; ++i) {
    trace.kernels.push_back(kernel);
  }
  const std::filesystem::path path = folder.path() / "x.trace";
  container::write(trace, path);
  container::File file(path);
  const container::Section at = file.index();
  const std::uint64_t sections = file.size() - container::kEndBytes - at.stored;
  container::form::Index index;
  REQUIRE(index.ParseFromString(container::unpack(file.read(sections, at.stored), at, "")));
  const int a_kernel = static_cast<int>(index.kernel_groups(0)) + 2;
  for (int i = 1; i <= 5; ++i) {
    index.mutable_sections()->set_bytes(i * a_kernel - 1, container::kMostSectionBytes);
  }
  container::Section section;
  const std::string packed = container::pack(index.SerializeAsString(), "", section);
  CHECK_THAT(refusal(folder.write("lies.trace",
                                  bytes_of(path).substr(0, sections) + packed + container::end_of_file(section))),
             Contains("the code of its kernels takes 320 MiB (at most 256 MiB)"));
}

TEST_CASE("sizes that lie are refused before memory is taken") {
  const Folder folder;
  std::string bytes = container::start_of_file();
  container::Section section;
  container::form::Index index;
  index.set_version(container::kVersion);
  index.mutable_sections()->add_stored(~0ULL);
  index.mutable_sections()->add_bytes(1ULL << 60);
  index.mutable_sections()->add_checksums(0);
  const std::string packed = container::pack(index.SerializeAsString(), "", section);
  CHECK_THAT(refusal(folder.write("x.trace", bytes + packed + container::end_of_file(section))),
             Contains("the sizes of sections make no sense"));
  section.stored = 0xffffffff;
  CHECK_THAT(refusal(folder.write("x.trace", bytes + packed + container::end_of_file(section))),
             Contains("its index has 4294967295 bytes"));
}
