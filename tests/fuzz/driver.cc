// SPDX-License-Identifier: MIT
// A main for fuzz targets where libFuzzer is not: runs the files and folders it is given, then so many changed inputs
// made from them. Takes libFuzzer's words:
//
//   fuzz_text [-runs=N] [-seed=N] FILE_OR_FOLDER...
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <sys/time.h>

#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target.h"

namespace {

namespace fs = std::filesystem;

constexpr long kMostSeconds = 40;  ///< seconds of the processor, for one input, under sanitizers too

void allow(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// What runs lies in the file `kept` meanwhile: whatever ends the process, a signal or a sanitizer, leaves it there.
void run(const std::string& input, const fs::path& kept) {
  std::ofstream(kept, std::ios::binary) << input;
  allow(kMostSeconds);
  try {
    (void)LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "an error that bad input must not end in: %s\n", error.what());
    std::exit(1);
  }
  allow(0);
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of folders, without those of folders in them, in the order of their names.
std::vector<fs::path> files_of(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    if (fs::is_directory(place)) {
      std::copy_if(fs::directory_iterator(place), fs::directory_iterator(), std::back_inserter(files),
                   [](const fs::directory_entry& entry) { return entry.is_regular_file(); });
    } else {
      files.push_back(place);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool take_number(std::string_view word, std::string_view key, std::uint32_t& into) {
  if (!word.starts_with(key)) {
    return false;
  }
  word.remove_prefix(key.size());
  return std::from_chars(word.data(), word.data() + word.size(), into).ec == std::errc{};
}

}  // namespace

int main(int argc, char** argv) {
  std::uint32_t runs = 0;
  std::uint32_t seed = 1;
  std::vector<fs::path> places;
  for (const std::string_view word : std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (!take_number(word, "-runs=", runs) && !take_number(word, "-seed=", seed)) {
      places.emplace_back(word);
    }
  }
  // A user who runs files again has them already.
  const fs::path kept = runs == 0 ? fs::path("/dev/null") : fs::path(argv[0]).filename() += "-found";
  std::vector<std::string> seeds;
  for (const fs::path& file : files_of(places)) {
    seeds.push_back(content_of(file));
    run(seeds.back(), kept);
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds\n");
    return 1;
  }
  gpusim::fuzz::Mutator mutator(seeds, seed);
  for (std::uint32_t i = 0; i < runs; ++i) {
    run(mutator.next(), kept);
  }
  if (runs != 0) {
    fs::remove(kept);
  }
  std::printf("%zu seeds and %u inputs made from them\n", seeds.size(), runs);
  return 0;
}
