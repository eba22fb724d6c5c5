// SPDX-License-Identifier: MIT
// A student's folder as a page edits it: only the files that the lab names, and only where they are plain files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

struct EditedFile {
  std::string name;
  std::string text;
  std::string version;    ///< another one for another text
  std::string problem;    ///< why it cannot be edited; empty when it can
  bool is_judged = true;  ///< by a check; others are for experiments
};

class WorkFolder {
 public:
  static constexpr std::uint64_t kLargestFile = 1U << 20U;

  WorkFolder(const Lab& lab, std::filesystem::path folder) : lab_(lab), folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

  /// Throws InputError when the folder or a file of the lab in it is a link or anything else that is not a plain folder
  /// or file: what is read or written would lie elsewhere.
  void require_plain() const;

  [[nodiscard]] std::vector<EditedFile> files() const;

  struct Saved {
    bool is_saved = false;  ///< false: the file holds another text than the page knew
    std::string version;    ///< version of what the file holds now
    std::string text;       ///< that, when it was not saved
  };
  /// Replaces the text of a file at once, or not at all. `version` is that of the text which the page began with.
  /// Throws InputError for a file that may not be edited, a text that is too large, and what require_plain() refuses.
  [[nodiscard]] Saved save(std::string_view name, std::string_view version, std::string_view text) const;

 private:
  [[nodiscard]] EditedFile read(const std::string& name) const;

  const Lab& lab_;
  std::filesystem::path folder_;
};

}  // namespace gpusim::lab
