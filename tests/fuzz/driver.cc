// SPDX-License-Identifier: MIT
// A main for fuzz targets where libFuzzer is not: runs the files and folders it is given, then so many changed inputs
// made from them. Takes libFuzzer's words:
//
//   fuzz_text [-runs=N] [-seed=N] FILE_OR_FOLDER...
#include <algorithm>
#include <charconv>
#include <csignal>
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

/// Of the sanitizers, where the program is built with them: they tell us of the end that they make.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

namespace fs = std::filesystem;

constexpr long kMostSeconds = 40;  ///< of the processor, for one input, under sanitizers too
constexpr const char* kFoundName = "fuzz-found-input";

/// What runs just now, for handlers of signals.
std::string current;

void keep_current() {
  if (std::FILE* file = std::fopen(kFoundName, "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in %s\n", fs::absolute(kFoundName).c_str());
  }
}

/// The process is lost: what is left to do is to say with which input.
extern "C" void keep_and_leave(int signal) {
  std::signal(signal, SIG_DFL);
  std::fprintf(stderr, signal == SIGPROF ? "an input takes too long\n" : "signal %d\n", signal);
  keep_current();
  std::raise(signal);
}

void watch_for_the_end() {
  std::signal(SIGPROF, keep_and_leave);
  std::signal(SIGABRT, keep_and_leave);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(keep_current);
    return;
  }
  for (const int signal : {SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
    std::signal(signal, keep_and_leave);
  }
}

void allow(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void run(std::string input) {
  current = std::move(input);
  allow(kMostSeconds);
  try {
    (void)LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "an error that bad input must not end in: %s\n", error.what());
    keep_current();
    std::exit(1);
  }
  allow(0);
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of folders, in the order of their names.
std::vector<fs::path> files_of(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    if (fs::is_directory(place)) {
      std::copy(fs::directory_iterator(place), fs::directory_iterator(), std::back_inserter(files));
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
  watch_for_the_end();
  std::vector<std::string> seeds;
  for (const fs::path& file : files_of(places)) {
    seeds.push_back(content_of(file));
    run(seeds.back());
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds\n");
    return 1;
  }
  gpusim::fuzz::Mutator mutator(seeds, seed);
  for (std::uint32_t i = 0; i < runs; ++i) {
    run(mutator.next());
  }
  std::printf("%zu seeds and %u inputs made from them\n", seeds.size(), runs);
  return 0;
}
