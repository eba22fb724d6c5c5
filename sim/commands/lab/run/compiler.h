// SPDX-License-Identifier: MIT
// CUDA of labs and students as machine code. The compiler is another program: it runs in a process with limits of its
// own, and what it makes is simulated and never started here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "sim/base/temporary_folder.h"
#include "sim/code/compile/compile.h"

namespace gpusim::lab {

struct Job;
class WallBudget;

class Compiler {
 public:
  /// `places`: where the compiler is looked for.
  explicit Compiler(compile::Places places = compile::Places::of_machine()) : places_(std::move(places)) {}

  /// Why there is no machine code.
  struct Problem {
    std::string text;           ///< empty: there is, or the job is a trace
    bool is_of_source = false;  ///< another source would compile here
  };
  /// Makes a job in CUDA ready to run, and says why it cannot. Each text is compiled once, in what is left of
  /// `budget`. Throws InputError when the source or the architecture cannot be read.
  [[nodiscard]] Problem compile(Job& job, WallBudget& budget);

  /// A text in which machine code is called as its source, and files of this compiler without its folders.
  [[nodiscard]] std::string own_words(std::string text) const;

  /// Seconds of processor time of each program of the compiler. A kernel takes a third of one, the largest headers one.
  static constexpr std::uint32_t kSeconds = 6;
  /// Memory of each; the largest headers take 290 MB.
  static constexpr std::uint64_t kBytes = 480'000'000;
  /// The largest file that it may write.
  static constexpr std::uint64_t kBytesOfFiles = 64'000'000;

 private:
  struct Compiled {
    std::filesystem::path folder;  ///< its own, with FILE.cu as it was and FILE.cubin
    std::filesystem::path cubin;
    std::string problem;       ///< why there is none; files stand in it as they are called, without a folder
    bool is_of_source = true;  ///< false: the machine lacks a compiler, or is busy
    bool is_final = true;      ///< false: with more time it may be another
  };
  /// What is to be compiled, and for what.
  struct Source {
    std::string name;
    std::string text;
    std::string target;
  };
  [[nodiscard]] Compiled compiled(const Source& source, WallBudget& budget);
  [[nodiscard]] Compiled made(const Source& source, WallBudget& budget);
  void make(Compiled& compiled, const Source& source, WallBudget& budget) const;

  compile::Places places_;
  std::map<std::string, Compiled> known_;
  std::uint64_t folders_ = 0;
  std::uint64_t launches_ = 0;
  std::unique_ptr<TemporaryFolder> folder_;  ///< when there is something to compile
};

}  // namespace gpusim::lab
