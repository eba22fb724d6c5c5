// SPDX-License-Identifier: MIT
// Damaged files: whatever the text, loading returns or throws InputError.
#include <random>

#include <catch2/catch.hpp>

#include "tests/arch/support.h"

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      mutate_once(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }

  void mutate_once(std::string& text) {
    static constexpr std::string_view kBites = "[]{}:,-?!&*#|>'\"%@`\t\n \\09.x\xff\x01";
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(40);
    switch (below(6)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, 1 + length / 8, kBites[below(kBites.size())]); break;
      case 2: text.insert(at, text.substr(below(text.size() + 1), length)); break;
      case 3: text.resize(text.size() - std::min(text.size(), below(200))); break;
      case 4: text.insert(at, "\n<<: *a\n&a "); break;
      default:
        if (at < text.size()) {
          text[at] = static_cast<char>(below(256));
        }
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("a damaged file loads or is refused with problems, and nothing else happens") {
  constexpr int kFiles = 400;
  const Folder folder;
  const std::string text = read(kConfigs / "h100.yaml");
  Mutator mutator(20260201);
  int refused = 0;
  for (int i = 0; i < kFiles; ++i) {
    const std::filesystem::path file = folder.write("m.yaml", mutator.mutate(text));
    CHECK_NOTHROW(refused += problems_of(file).empty() ? 0 : 1);
  }
  CHECK(refused > kFiles / 4);
}

TEST_CASE("a damaged override is refused with problems, and nothing else happens") {
  Mutator mutator(7);
  for (int i = 0; i < 100; ++i) {
    const std::string value = mutator.mutate("4.8 TB/s");
    CHECK_NOTHROW(problems_of_set({{"dram.bandwidth", value}, {mutator.mutate("dram.stacks"), value}}));
  }
}
