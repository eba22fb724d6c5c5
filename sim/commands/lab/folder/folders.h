// SPDX-License-Identifier: MIT
// Labs by name, and the folders that students work in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

struct KnownLabs {
  std::vector<Lab> labs;              ///< each behind those that it needs, else by name
  std::vector<std::string> problems;  ///< problems of labs that cannot be read
};
/// Where labs are that are found by name; of equal names the one found first. Nothing of them is read.
[[nodiscard]] std::map<std::string, std::filesystem::path> folders_by_name();
/// All labs that are found by name.
[[nodiscard]] KnownLabs known_labs();

/// A lab by its name. What a student's file says is not a path: a submission may not bring a lab of its own. Throws
/// InputError with the nearest name.
[[nodiscard]] Lab lab_called(const std::string& name);
/// A lab by its name, by its folder, or by a folder in which a student works on it.
[[nodiscard]] Lab find_lab(const std::string& name);

/// Whether lab_called() finds this lab.
[[nodiscard]] bool is_known(const Lab& lab);

/// What a student's folder is made of: a name, which may have a folder before it, and the text.
struct WorkFile {
  std::string name;
  std::string text;
};
/// Throws InputError when the file with this name in the folder, or a folder before it, is a link: what is written
/// would lie elsewhere.
void require_no_link(const std::filesystem::path& folder, const std::filesystem::path& name);
/// Throws InputError when it cannot be written, and what require_no_link() refuses.
void write_file(const std::filesystem::path& folder, const WorkFile& file);
/// A file of the lab as a student gets it: in YAML, {{n}} is the student's number.
[[nodiscard]] std::string filled_text(const std::filesystem::path& file, const Scope& scope);

/// What the kernels of a student are written in.
enum class Form : std::uint8_t { kTrace, kCuda };

/// All files of the student, as they are at the start. CUDA comes beside the traces, which the handout is about.
[[nodiscard]] std::vector<WorkFile> start_files(const Lab& lab, const Student& student, Form form = Form::kTrace);

/// What a student gets who has passed: the discussion and its pictures.
[[nodiscard]] std::vector<WorkFile> discussion_files(const Lab& lab, const Student& student);
/// Whether a check of this folder has passed once.
[[nodiscard]] bool has_discussion(const std::filesystem::path& folder);

/// A hash of the files that are the student's work, to find equal ones; a missing file counts as empty. CUDA that was
/// changed stands for its trace.
[[nodiscard]] std::uint64_t digest_of_files(const Lab& lab, const std::filesystem::path& folder);
/// A hash of all that a check judges, to tell one try from the next: CUDA with its launch.
[[nodiscard]] std::uint64_t digest_of_try(const Lab& lab, const std::filesystem::path& folder);
/// digest_of_files() of the files as they are at the start.
[[nodiscard]] std::uint64_t digest_of_start(const Lab& lab, const Student& student);

/// Throws InputError when it is not a folder and none can be made.
void make_folder(const std::filesystem::path& folder);

}  // namespace gpusim::lab
