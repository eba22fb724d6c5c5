// SPDX-License-Identifier: MIT
// The seeds of the fuzz target, whole and damaged: listings of each generation in each notation, written by hand in the
// forms of the tools; of the encodings, only the control bits mean something.
#include "sim/input/sass/import.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/model/trace/walker.h"

namespace import_test {

using namespace gpusim;
using frontend::sass::import_listing;

namespace {

/// Those with a whole kernel: sm70_... to sm90_...
std::vector<std::string> seeds(bool refused) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(GPUSIM_SOURCE_DIR "/tests/fuzz/seeds/sass")) {
    const std::string name = entry.path().stem().string();
    if (name.starts_with("sm") && (name.find("refused") != std::string::npos) == refused) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// A line of a program with its holes filled.
std::string filled_line(const std::string& line) {
  const auto with = [&](const std::string& hole, const std::string& value) {
    const std::size_t at = line.find(hole);
    return at == std::string::npos ? std::string() : line.substr(0, at) + value + line.substr(at + hole.size());
  };
  if (line.starts_with("#")) {
    return line;
  }
  if (line.starts_with("param ")) {
    const bool is_block = line.starts_with("param threads_") && !line.starts_with("param threads_y_") &&
                          !line.starts_with("param threads_z_");
    return with("= ?", line.starts_with("param shared_") ? "= 4096" : is_block ? "= 32" : "= 2");
  }
  if (line.starts_with("  buffer ")) {
    return with(" = ?", " bytes[4096]");
  }
  std::string made = line;
  for (std::size_t at = made.find('?'); at != std::string::npos; at = made.find('?')) {
    made.replace(at, 1, made[at - 1] == '[' ? "16*(lane%2)" : "lane < 16");
  }
  return made;
}

std::string filled(const std::string& program) {
  std::istringstream in(program);
  std::string made;
  for (std::string line; std::getline(in, line);) {
    const std::string done = filled_line(line);
    made += (done.empty() ? line : done) + "\n";
  }
  return made;
}

void damage(std::string& text, std::mt19937& random) {
  for (auto i = 1 + random() % 4; i > 0; --i) {
    const std::size_t at = random() % text.size();
    switch (random() % 5) {
      case 0: text[at] = static_cast<char>(random() % 255 + 1); break;
      case 1: text.erase(at, random() % 40); break;
      case 2: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
      case 3: text[at] = "(){}[]@#?:;,.|+-0123456789abcdefPRU"[random() % 34]; break;
      default: {  // two lines change places
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        text.insert(text.find('\n', random() % text.size()) + 1, text.substr(at, end + 1 - at));
      }
    }
  }
}

/// Some lines without encodings whose branches, calls and predicates lead anywhere.
std::string random_flow(std::mt19937& random) {
  const std::size_t count = 4 + random() % 24;
  const auto predicate = [&] { return "P" + std::to_string(random() % 4); };
  const auto guard = [&] { return random() % 2 == 0 ? "" : (random() % 2 == 0 ? "@!" : "@") + predicate() + " "; };
  std::ostringstream listing;
  for (std::size_t i = 0; i <= count; ++i) {
    const std::size_t near = std::min<std::size_t>(count, i + 1 + random() % 5);
    std::ostringstream target;
    target << "0x" << std::hex << 16 * (random() % 4 == 0 ? random() % count : near);
    listing << "/*" << std::hex << std::setw(4) << std::setfill('0') << 16 * i << "*/ ";
    switch (i == count ? 100 : random() % 10) {
      case 0:
      case 1: listing << guard() << "BRA " << target.str(); break;
      case 2: listing << guard() << "ISETP.GT.AND " << predicate() << ", " << predicate() << ", R0, R1, PT"; break;
      case 3: listing << guard() << "EXIT"; break;
      case 4: listing << guard() << "CALL.REL.NOINC " << target.str(); break;
      case 5: listing << guard() << "RET.REL.NODEC R4 0x0"; break;
      case 6: listing << "MOV R4, " << target.str(); break;
      case 7: listing << "BRA.U !UP0, " << target.str(); break;
      case 8: listing << guard() << "LDG.E R2, [R2.64]"; break;
      case 100: listing << "EXIT"; break;
      default: listing << guard() << "FADD R0, R0, R0";
    }
    listing << " ;\n";
  }
  return listing.str();
}

}  // namespace

TEST_CASE("each seed becomes a program that runs when its holes are filled") {
  const auto texts = seeds(false);
  REQUIRE(texts.size() >= 7);
  for (const std::string& text : texts) {
    const auto import = import_listing(text, "seed");
    INFO(import.program);
    CHECK(import.holes.size() >= 5);
    const trace::Trace trace = frontend::load_trace_text(filled(import.program), "seed.trace", {});
    REQUIRE(trace.kernels.size() == 1);
    CHECK(trace.kernels[0].control_recorded);
    trace::Walker walker(trace.kernels[0], {}, 0);
    trace::Step step;
    std::size_t steps = 0;
    while (walker.next(step)) {
      ++steps;
    }
    CHECK(steps >= 10);
  }
}

TEST_CASE("whatever the branches, calls and predicates, a listing is refused or becomes a program that ends") {
  std::mt19937 random(5);
  std::size_t imported = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::string listing = random_flow(random);
    std::string program;
    try {
      program = import_listing(listing, "flow").program;
    } catch (const InputError& error) {
      REQUIRE(std::string(error.what()).find(", as a program") == std::string::npos);
      continue;
    }
    ++imported;
    INFO(listing << program);
    const trace::Trace trace = frontend::load_trace_text(filled(program), "flow.trace", {});
    trace::Walker walker(trace.kernels[0], {}, 0);
    trace::Step step;
    std::size_t steps = 0;
    while (walker.next(step) && steps < 100'000) {
      ++steps;
    }
    REQUIRE(steps < 100'000);
  }
  CHECK(imported > 200);
}

TEST_CASE("a seed that is to be refused is") {
  for (const std::string& text : seeds(true)) {
    CHECK_THROWS_AS((void)import_listing(text, "seed"), InputError);
  }
}

TEST_CASE("whatever happens to a listing, it is refused or becomes a program whose only problems are holes") {
  std::mt19937 random(11);
  const auto texts = seeds(false);
  std::size_t imported = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string text = texts[static_cast<std::size_t>(round) % texts.size()];
    damage(text, random);
    std::string program;
    try {
      program = import_listing(text, "seed").program;
    } catch (const InputError& error) {
      INFO(text);
      REQUIRE(std::string(error.what()).find(", as a program") == std::string::npos);
      continue;
    }
    ++imported;
    INFO(program);
    REQUIRE_NOTHROW((void)frontend::load_trace_text(filled(program), "seed.trace", {}));
  }
  CHECK(imported > 100);
}

}  // namespace import_test
