// SPDX-License-Identifier: MIT
// Damaged containers: whatever the bytes, reading and walking them returns or throws InputError.
#include <random>

#include <catch2/catch.hpp>

#include "sim/container/file.h"
#include "sim/container/form.pb.h"
#include "sim/trace/walker.h"

#include "tests/container/support.h"

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

/// Its messages, the index last.
std::vector<std::string> messages_of(const std::string& bytes, const Folder& folder) {
  container::File file(folder.write("taken-apart.trace", bytes));
  const container::Section section = file.index();
  const std::uint64_t at = file.size() - container::kEndBytes - section.stored;
  const std::string index_text = container::unpack(file.read(at, section.stored), section, "");
  container::form::Index index;
  REQUIRE(index.ParseFromString(index_text));
  std::vector<std::string> messages;
  std::uint64_t offset = container::kStartBytes;
  for (int i = 0; i < index.sections().stored_size(); ++i) {
    const container::Section of{index.sections().stored(i), index.sections().bytes(i), index.sections().checksums(i)};
    messages.push_back(container::unpack(file.read(offset, of.stored), of, ""));
    offset += of.stored;
  }
  messages.push_back(index_text);
  return messages;
}

/// A container of these messages with sizes and checksums that fit.
std::string assemble(const std::vector<std::string>& messages) {
  std::string bytes = container::start_of_file();
  container::form::Index index;
  if (!index.ParseFromString(messages.back())) {
    return bytes;
  }
  index.clear_sections();
  container::Section section;
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
    bytes += container::pack(messages[i], "", section);
    index.mutable_sections()->add_stored(section.stored);
    index.mutable_sections()->add_bytes(section.bytes);
    index.mutable_sections()->add_checksums(section.checksum);
  }
  bytes += container::pack(index.SerializeAsString(), "", section);
  return bytes + container::end_of_file(section);
}

/// Walks the first steps of all warps of small kernels; false when the container is refused, at once or on the way.
bool survives(const std::filesystem::path& file) {
  try {
    const trace::Trace trace = container::load(file);
    for (const trace::Kernel& kernel : trace.kernels) {
      for (std::uint64_t cta = 0; cta < std::min<std::uint64_t>(kernel.ctas(), 4); ++cta) {
        for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
          trace::Walker walker(kernel, trace::cta_at(cta, kernel.grid), warp);
          trace::Step step;
          for (int i = 0; i < 500 && walker.next(step); ++i) {
            static_cast<void>(walker.addresses(trace::AccessSlot::kPrimary));
            static_cast<void>(walker.addresses(trace::AccessSlot::kSharedDestination));
          }
        }
      }
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
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
             Contains("is a container of version 7 (this program reads version 2; a newer one may read it)"));
}

TEST_CASE("sizes that lie are refused before memory is taken") {
  const Folder folder;
  std::string bytes = container::start_of_file();
  container::Section section;
  container::form::Index index;
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

TEST_CASE("a container whose checksums are right and whose content is not does no harm") {
  const Folder folder;
  const std::vector<std::string> sound = messages_of(sound_container(folder), folder);
  REQUIRE(survives(folder.write("x.trace", assemble(sound))));
  std::mt19937 random(20260301);
  int refused = 0;
  constexpr int kFiles = 400;
  for (int i = 0; i < kFiles; ++i) {
    std::vector<std::string> messages = sound;
    for (std::size_t change = 1 + random() % 3; change > 0; --change) {
      std::string& message = messages[random() % messages.size()];
      const std::size_t at = random() % std::max<std::size_t>(message.size(), 1);
      switch (random() % 4) {
        case 0: message.erase(at, random() % 4); break;
        case 1: message.insert(at, 1 + random() % 3, static_cast<char>(random())); break;
        default: message.replace(at, 1, 1, static_cast<char>(random()));
      }
    }
    CHECK_NOTHROW(refused += survives(folder.write("x.trace", assemble(messages))) ? 0 : 1);
  }
  CHECK(refused > kFiles / 4);
  CHECK(refused < kFiles);
}
