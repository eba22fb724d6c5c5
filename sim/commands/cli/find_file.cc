// SPDX-License-Identifier: MIT
#include "sim/commands/cli/find_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>

#include "sim/base/file_name.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/code/kind/kind.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/input/kind/kind.h"

namespace gpusim::cli {
namespace {

namespace fs = std::filesystem;

constexpr OtherKind kArchitecture{"it is an architecture, which --arch takes", "--arch"};
constexpr OtherKind kTrace{"it is a trace, which --trace takes", "--trace"};
constexpr OtherKind kSystem{"it is a system, which --system takes", "--system"};
constexpr OtherKind kModel{"it is a model, which --model takes", "--model"};
constexpr OtherKind kApplication{"it is an application, which gpusim app takes", "", true};
constexpr OtherKind kCode{"it is code of kernels, which --trace takes, as in --trace FILE:KERNEL", "--trace"};
constexpr OtherKind kPython{kRunPython, ""};
constexpr OtherKind kSavedResult{"gpusim report takes a saved result", "", true};

/// Files that say by their extension what they are, and which option or command takes them. Of YAML there are several
/// kinds.
struct KnownExtension {
  std::string_view extension;
  OtherKind kind;
};
constexpr std::array<KnownExtension, 7> kExtensions{{{".trace", kTrace},
                                                     {".gtrace", kTrace},
                                                     {".cubin", kCode},
                                                     {".fatbin", kCode},
                                                     {".sass", kCode},
                                                     {".py", kPython},
                                                     {".json", kSavedResult}}};

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void add_folder(std::vector<fs::path>& folders, const fs::path& folder, const FileKind& kind) {
  for (const fs::path& one : {folder, kind.library.empty() ? folder : folder / kind.library}) {
    if (is_folder(one) && std::find(folders.begin(), folders.end(), one) == folders.end()) {
      folders.push_back(one);
    }
  }
}

/// Files with the extension directly in a folder; a folder that cannot be read has none.
std::vector<fs::path> files_in(const fs::path& folder, const fs::path& extension) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == extension) {
      files.push_back(at->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// `path` itself, or with the extension; empty when neither is a file.
fs::path existing(const fs::path& path, const FileKind& kind) {
  for (const fs::path& candidate : {path, fs::path(path.string() + kind.extension)}) {
    if (is_there(candidate) && !is_folder(candidate)) {
      return candidate;
    }
  }
  return {};
}

/// The nearest of the names that could have been meant, as a hint.
std::string name_hint(const std::string& name, const FileKind& kind) {
  std::vector<fs::path> files = known_files(kind);
  const std::vector<fs::path> neighbours = files_in(".", kind.extension);
  files.insert(files.end(), neighbours.begin(), neighbours.end());
  std::vector<std::string> names;
  for (const fs::path& file : files) {
    names.push_back(file.stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string_view word = name;
  word.remove_suffix(word.ends_with(kind.extension) ? kind.extension.size() : 0);
  return name_suggestion(word, std::vector<std::string_view>(names.begin(), names.end()));
}

/// Throws where the name is a symbolic link that leads to no file.
void refuse_bad_link(const std::string& name) {
  std::error_code error;
  if (!fs::exists(name, error) && error == std::errc::too_many_symbolic_link_levels) {
    throw InputError({{name, 0, 0}, "is a symbolic link that leads back to itself", ""});
  }
  if (fs::is_symlink(name, error)) {
    throw InputError({{name, 0, 0},
                      "is a symbolic link to '" + fs::read_symlink(name, error).string() + "', which is not there",
                      ""});
  }
}

/// "did you mean 'folder/kernel.cubin'?": the file of the same folder and extension whose name is nearest; else empty.
std::string near_file_hint(const fs::path& path) {
  std::vector<std::string> names;
  for (const fs::path& file : files_in(path.has_parent_path() ? path.parent_path() : ".", path.extension())) {
    names.push_back(file.filename().string());
  }
  const std::string_view near =
      nearest(path.filename().string(), std::vector<std::string_view>(names.begin(), names.end()));
  return near.empty() ? "" : "did you mean '" + (path.parent_path() / near).string() + "'?";
}

/// The nearest file of the same folder, or the file of that very name that came along; empty where none is.
std::string path_hint(const fs::path& path, const FileKind& kind) {
  const fs::path file = path.has_extension() ? path : fs::path(path.string() + kind.extension);
  if (std::string near = near_file_hint(file); !near.empty()) {
    return near;
  }
  const std::optional<fs::path> of_name = look_for_file(path.filename().string(), kind);
  return of_name ? "did you mean '" + of_name->stem().string() + "'?" : "";
}

/// Whether only a file can have that name: it has a folder, or an extension of files of another kind.
bool is_path(const fs::path& path, const FileKind& kind) {
  const std::string extension = path.extension().string();
  const bool is_known = extension == ".yaml" || code::is_source(path) ||
                        std::ranges::find(kExtensions, extension, &KnownExtension::extension) != kExtensions.end();
  return path.has_parent_path() || (extension != kind.extension && is_known);
}

[[noreturn]] void refuse_missing(const std::string& name, const FileKind& kind) {
  refuse_bad_link(name);
  if (const std::string_view hint = other_kind(name, &kind).hint; !hint.empty()) {
    throw InputError({{name, 0, 0}, "no such file in " + kind.folder, std::string(hint)});
  }
  if (is_path(name, kind)) {
    throw InputError({{name, 0, 0}, "no such file", path_hint(name, kind)});
  }
  std::string message = "no such file; searched: the current folder";
  for (const fs::path& folder : search_folders(kind)) {
    message += ", " + folder.string();
  }
  if (!kind.library.empty()) {
    message += "; `gpusim trace make --list` names the kernels of the library";
  }
  throw InputError({{name, 0, 0}, message, name_hint(name, kind)});
}

[[noreturn]] void refuse_folder(const std::string& name) {
  const std::string list = "kernelslist.g";
  throw InputError({{name, 0, 0},
                    "is a folder, not a file",
                    is_there(fs::path(name) / list) ? "did you mean '" + (fs::path(name) / list).string() + "'?" : ""});
}

/// Whether one of the first lines of a YAML file opens with `key`.
bool has_key(const std::string& file, std::string_view key) {
  constexpr int kLines = 200;
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < kLines && std::getline(in, line); ++i) {
    if (line.starts_with(key)) {
      return true;
    }
  }
  return false;
}

/// Which option or command takes a file that is there; nothing where it does not say.
OtherKind kind_of_file(const std::string& file) {
  if (code::is_source(file) || is_machine_code(file)) {
    return kCode;
  }
  if (frontend::is_accelsim(file)) {
    return kTrace;
  }
  const std::string extension = fs::path(file).extension().string();
  for (const KnownExtension& row : kExtensions) {
    if (row.extension == extension) {
      return row.kind;
    }
  }
  if (extension != ".yaml") {
    return {};
  }
  return has_key(file, "system:")                                ? kApplication
         : has_key(file, "clocks:") || has_key(file, "extends:") ? kArchitecture
                                                                 : OtherKind{};
}

/// Refuses a file of another kind where YAML is wanted: what is wrong with its first line would tell less. A saved
/// result is JSON, which YAML contains, so the reader says what it lacks.
void refuse_other_kind(const fs::path& file, const FileKind& kind) {
  const fs::path extension = file.extension();
  if (kind.extension != ".yaml" || extension == ".yaml" || extension == ".json") {
    return;
  }
  if (const std::string_view hint = kind_of_file(file.string()).hint; !hint.empty()) {
    throw InputError({{file.string(), 0, 0}, "is not a file as those in " + kind.folder, std::string(hint)});
  }
}

}  // namespace

const FileKind& architecture_files() {
  static const FileKind kKind{"configs", ".yaml", ""};
  return kKind;
}

const FileKind& trace_files() {
  static const FileKind kKind{"traces", ".trace", "library"};
  return kKind;
}

const FileKind& system_files() {
  static const FileKind kKind{"configs/systems", ".yaml", ""};
  return kKind;
}

const FileKind& model_files() {
  static const FileKind kKind{"configs/models", ".yaml", ""};
  return kKind;
}

const FileKind& application_files() {
  static const FileKind kKind{"traces/applications", ".yaml", ""};
  return kKind;
}

const FileKind& lab_folders() {
  static const FileKind kKind{"docs/labs", "", ""};
  return kKind;
}

std::vector<fs::path> search_folders(const FileKind& kind) {
  std::vector<fs::path> folders;
  if (const char* const variable = std::getenv("GPUSIM_PATH"); variable != nullptr) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      if (const fs::path folder = rest.substr(0, colon); !folder.empty()) {
        add_folder(folders, folder / kind.folder, kind);
        add_folder(folders, folder, kind);
      }
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error) {
    add_folder(folders, program.parent_path().parent_path() / "share" / "gpusim" / kind.folder, kind);
  }
  if (const fs::path source = GPUSIM_DATA_DIR; !source.empty()) {
    add_folder(folders, source / kind.folder, kind);
  }
  return folders;
}

std::optional<fs::path> look_for_file(const std::string& name, const FileKind& kind) {
  if (fs::path found = existing(name, kind); !found.empty()) {
    return found;
  }
  if (fs::path(name).is_absolute()) {
    return std::nullopt;
  }
  for (const fs::path& folder : search_folders(kind)) {
    if (fs::path found = existing(folder / name, kind); !found.empty()) {
      return found;
    }
  }
  if (fs::path(name).has_parent_path()) {
    return std::nullopt;
  }
  const std::vector<fs::path> files = known_files(kind);
  const fs::path* const file = in_other_case(files, name);
  return file == nullptr ? std::nullopt : std::optional(*file);
}

OtherKind other_kind(const std::string& name, const FileKind* wanted) {
  struct Row {
    const FileKind& files;
    const OtherKind& kind;
  };
  std::error_code error;
  if (fs::is_regular_file(name, error)) {
    return kind_of_file(name);
  }
  for (const Row& row :
       {Row{architecture_files(), kArchitecture}, Row{trace_files(), kTrace}, Row{system_files(), kSystem},
        Row{model_files(), kModel}, Row{application_files(), kApplication}}) {
    if (&row.files != wanted && look_for_file(name, row.files)) {
      return row.kind;
    }
  }
  return wanted != &trace_files() && find_kernel(name) ? kTrace : OtherKind{};
}

fs::path find_file(const std::string& name, const FileKind& kind) {
  if (name.empty()) {
    throw UsageError("a name is empty where a file in " + kind.folder + " is wanted");
  }
  const std::optional<fs::path> found = look_for_file(name, kind);
  if (!found) {
    is_folder(name) ? refuse_folder(name) : refuse_missing(name, kind);
  }
  std::error_code error;
  if (fs::is_regular_file(*found, error) && fs::file_size(*found, error) == 0) {
    throw InputError({{found->string(), 0, 0}, "is empty", ""});
  }
  refuse_other_kind(*found, kind);
  return *found;
}

void refuse_absent(const std::string& path) {
  refuse_bad_link(path);
  const std::string_view other = other_kind(path, nullptr).hint;
  throw InputError({{path, 0, 0}, "no such file", other.empty() ? near_file_hint(path) : std::string(other)});
}

std::string name_beside(const fs::path& folder, const std::string& name, const FileKind& kind) {
  const fs::path beside = (folder / name).lexically_normal();
  return !folder.empty() && !existing(beside, kind).empty() ? beside.string() : name;
}

std::vector<fs::path> known_files(const FileKind& kind) {
  std::map<std::string, fs::path> by_name;
  for (const fs::path& folder : search_folders(kind)) {
    for (const fs::path& file : files_in(folder, kind.extension)) {
      by_name.emplace(file.filename().string(), file);
    }
  }
  std::vector<fs::path> files;
  for (const auto& [name, file] : by_name) {
    files.push_back(file);
  }
  return files;
}

}  // namespace gpusim::cli
