// SPDX-License-Identifier: MIT
#include "sim/commands/lab/folder/folders.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/lab/check/handout.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/begin.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

bool is_lab(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kLabFile, error);
}

/// Each behind those that it needs; what needs as many in a row by name. Labs that need each other have no order.
std::vector<Lab> in_order(std::vector<Lab> labs) {
  std::map<std::string, std::size_t> depths;  // labs that one must do before, one behind the other
  for (const Lab& lab : labs) {
    depths[lab.name] = 0;
  }
  for (std::size_t round = 0; round < labs.size(); ++round) {
    for (const Lab& lab : labs) {
      for (const std::string& need : lab.needs) {
        const auto found = depths.find(need);
        depths[lab.name] = std::max(depths[lab.name], found == depths.end() ? 0 : found->second + 1);
      }
    }
  }
  std::ranges::sort(labs, {}, [&depths](const Lab& lab) { return std::pair(depths[lab.name], lab.name); });
  return labs;
}

/// A text and the pictures of the lab that it shows.
std::vector<WorkFile> with_pictures(const Lab& lab, WorkFile text) {
  std::vector<WorkFile> files;
  std::error_code error;
  for (fs::directory_iterator at(lab.folder / kPicturesFolder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = std::string(kPicturesFolder) + "/" + at->path().filename().string();
    if (text.text.find("](" + name + ")") != std::string::npos) {
      files.push_back({name, text_of(at->path())});
    }
  }
  std::ranges::sort(files, {}, &WorkFile::name);
  files.insert(files.begin(), std::move(text));
  return files;
}

/// Empty where there is no such file.
std::string text_in(const fs::path& folder, const std::string& file) {
  std::error_code error;
  return fs::is_regular_file(folder / file, error) ? text_of(folder / file) : "";
}

/// The digest of all files that students change, where `text` gives the text of each.
std::uint64_t digest_of_each(const Lab& lab, const std::function<std::string(const std::string& file)>& text) {
  std::string all;
  for (const std::string& file : lab.files) {
    all += text(file) + '\0';
  }
  return digest_of(all);
}

}  // namespace

std::map<std::string, fs::path> folders_by_name() {
  std::map<std::string, fs::path> folders;
  for (const fs::path& place : cli::search_folders(cli::lab_folders())) {
    std::error_code error;
    for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error)) {
      if (is_lab(at->path())) {
        folders.emplace(at->path().filename().string(), at->path());
      }
    }
  }
  return folders;
}

KnownLabs known_labs() {
  KnownLabs known;
  for (const auto& [name, folder] : folders_by_name()) {
    try {
      known.labs.push_back(read_lab(folder));
    } catch (const InputError& error) {
      known.problems.push_back(to_text(error.problems().front()));
    }
  }
  known.labs = in_order(std::move(known.labs));
  return known;
}

Lab lab_called(const std::string& name) {
  const std::map<std::string, fs::path> folders = folders_by_name();
  if (const auto found = folders.find(name); found != folders.end()) {
    return read_lab(found->second);
  }
  std::vector<std::string_view> known;
  for (const auto& [each, folder] : folders) {
    known.push_back(each);
  }
  throw InputError({{name, 0, 0}, "no such lab", suggestion(name, known)});
}

Lab find_lab(const std::string& name) {
  if (folders_by_name().contains(name)) {
    return lab_called(name);
  }
  return is_lab(name) ? read_lab(name) : lab_called(is_begun(name) ? read_student(name).lab : name);
}

bool is_known(const Lab& lab) {
  const std::map<std::string, fs::path> folders = folders_by_name();
  const auto found = folders.find(lab.name);
  std::error_code error;
  return found != folders.end() && fs::equivalent(found->second, lab.folder, error);
}

std::string filled_text(const fs::path& file, const Scope& scope) {
  std::string text = text_of(file);
  return file.extension() == ".yaml" ? scope.filled_exactly(text, file.string()) : text;
}

void require_no_link(const fs::path& folder, const fs::path& name) {
  fs::path path = folder;
  for (const fs::path& part : name) {
    path /= part;
    std::error_code error;
    if (fs::is_symlink(path, error)) {
      throw InputError({{path.string(), 0, 0}, "is a link, and is left alone", ""});
    }
  }
}

void write_file(const fs::path& folder, const WorkFile& file) {
  require_no_link(folder, file.name);
  const fs::path path = folder / file.name;
  std::error_code ignored;  // the file says what is wrong
  fs::create_directories(path.parent_path(), ignored);
  OutputFile(path).commit(file.text);
}

std::vector<WorkFile> start_files(const Lab& lab, const Student& student, Form form) {
  const Scope scope = scope_of(lab, student.seed);
  std::vector<WorkFile> files{{kStudentFile, student_text(lab, student)},
                              {kAnswersFile, answers_text(lab, student, scope)}};
  std::ranges::move(with_pictures(lab, {kReadmeFile, readme_text(lab, scope)}), std::back_inserter(files));
  for (const auto* const names : {&lab.files, &lab.given}) {
    for (const std::string& file : *names) {
      files.push_back({file, filled_text(lab.folder / kStartFolder / file, scope)});
    }
  }
  for (const CudaForm& cuda : form == Form::kCuda ? lab.cuda : std::vector<CudaForm>{}) {
    for (const std::string& file : {cuda.source, cuda.launch}) {
      files.push_back({file, filled_text(lab.folder / kStartFolder / file, scope)});
    }
  }
  return files;
}

std::vector<WorkFile> discussion_files(const Lab& lab, const Student& student) {
  return with_pictures(lab, {kDiscussionFile, discussion_text(lab, scope_of(lab, student.seed))});
}

bool has_discussion(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kDiscussionFile, error);
}

std::uint64_t digest_of_files(const Lab& lab, const fs::path& folder) {
  return digest_of_each(lab, [&](const std::string& file) {
    const CudaForm* const form = lab.cuda_of(file);
    const std::string source = form == nullptr ? "" : text_in(folder, form->source);
    const bool is_own = !source.empty() && source != text_of(lab.folder / kStartFolder / form->source);
    return is_own ? source : text_in(folder, file);
  });
}

std::uint64_t digest_of_try(const Lab& lab, const fs::path& folder) {
  return digest_of_each(lab, [&](const std::string& file) {
    const CudaForm* const form = lab.cuda_of(file);
    return form == nullptr || text_in(folder, form->source).empty()
               ? text_in(folder, file)
               : text_in(folder, form->source) + '\0' + text_in(folder, form->launch);
  });
}

std::uint64_t digest_of_start(const Lab& lab, const Student& student) {
  return digest_of_each(lab, [&lab, scope = scope_of(lab, student.seed)](const std::string& file) {
    return filled_text(lab.folder / kStartFolder / file, scope);
  });
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    throw InputError({{folder.string(), 0, 0}, "is not a folder, and none can be made there", ""});
  }
}

}  // namespace gpusim::lab
