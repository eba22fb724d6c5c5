// SPDX-License-Identifier: MIT
// From what the user typed to a file: a path, or a name among the architectures and traces that came along.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::cli {

/// A kind of input file: the folder it lives in and its extension.
struct FileKind {
  std::string folder;     ///< "configs"
  std::string extension;  ///< ".yaml", which may be left out
  std::string library;    ///< a folder below it that is searched after it; none when empty
};
[[nodiscard]] const FileKind& architecture_files();
[[nodiscard]] const FileKind& trace_files();
[[nodiscard]] const FileKind& system_files();
[[nodiscard]] const FileKind& model_files();
[[nodiscard]] const FileKind& application_files();
/// Labs, which are folders: only for search_folders().
[[nodiscard]] const FileKind& lab_folders();

/// The folders in which names are looked up, the first that has one wins: of each entry of GPUSIM_PATH (its configs/,
/// traces/ or docs/labs/, and the folder itself), of where the program was installed (share/gpusim beside its bin), and
/// of the source tree that it was built from. Only those that exist.
[[nodiscard]] std::vector<std::filesystem::path> search_folders(const FileKind& kind);

/// Where the file is, if there is one.
[[nodiscard]] std::optional<std::filesystem::path> look_for_file(const std::string& name, const FileKind& kind);

/// The file. Throws InputError when there is none (what was searched, the nearest name, or the option it is for), when
/// it is a folder, or empty; UsageError without a name.
[[nodiscard]] std::filesystem::path find_file(const std::string& name, const FileKind& kind);

/// What a name stands for where something else is wanted.
struct OtherKind {
  std::string_view hint;     ///< "it is a trace, which --trace takes"; empty: it is not known to stand for anything
  std::string_view option;   ///< "--trace": the option that takes it; empty where none does
  bool has_command = false;  ///< a command takes it
};
/// That of an architecture, a trace, a kernel of the library and the like, or of a file that says what it is. A kind
/// that is wanted is none to name.
[[nodiscard]] OtherKind other_kind(const std::string& name, const FileKind* wanted);

/// Throws InputError about a path that leads to no file, with the option that takes what has this name, or the nearest
/// file of the same folder.
[[noreturn]] void refuse_absent(const std::string& path);

/// What a file in `folder` means by a name: the path of the file there, else the name as it is.
[[nodiscard]] std::string name_beside(const std::filesystem::path& folder, const std::string& name,
                                      const FileKind& kind);

/// Files of the kind in the search folders, by name; of equal names the one that find_file() would take.
[[nodiscard]] std::vector<std::filesystem::path> known_files(const FileKind& kind);

}  // namespace gpusim::cli
