// SPDX-License-Identifier: MIT
// The database of a sweep: every point's numbers and whole result, and which studies asked for which points.
//
// One SQLite file. A point is stored in one transaction the moment it ends, so a process killed at any time loses
// nothing that was finished. docs/sweeps.md, "The database", says why it is laid out as it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/sweep/store/point.h"

namespace gpusim::sweep {

/// The layout of the tables; a database with another is refused.
inline constexpr int kStoreSchema = 2;

/// A study as it is recorded: its text, and the points it asked for, in order.
struct StudyRecord {
  std::string name;  ///< name of the study's file; empty: the database numbers it ("sweep-3")
  std::string text;  ///< what was asked, as a study's YAML or as a command line
  /// key, arch, trace, parameters and derived; status "skipped" with its reason where a point is not to be run. The
  /// numbers are ignored: they are put() when the point ends.
  std::vector<PointRow> points;
};

struct StudyInfo {
  std::int64_t id = 0;
  std::string name;
  std::string text;
  std::uint64_t points = 0;  ///< done + failed + skipped + those that were never finished
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t skipped = 0;
  [[nodiscard]] std::uint64_t missing() const { return points - done - failed - skipped; }
};

/// Part `index` of `count` of a study's points, both from 1; 1 of 1 is the whole.
struct Share {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  friend auto operator<=>(const Share&, const Share&) = default;
};

/// A study some of whose points no database had.
struct Incomplete {
  StudyInfo study;
  std::vector<std::uint64_t> missing;  ///< positions in the study, from 1
  std::vector<Share> absent;           ///< shares of a split study that none of the databases ran
  /// Programs behind this study and others of the same text whose points have other keys; empty when there is none:
  /// then its points may be there, but computed by another version of the program, or from files that have changed.
  std::vector<std::string> programs_of_twins;
};

struct MergeReport {
  std::uint64_t added = 0;             ///< points that were new, or done where they had failed
  std::uint64_t known = 0;             ///< points that were there already
  std::vector<Incomplete> incomplete;  ///< incomplete studies among those that the merged databases hold
  std::vector<std::string> differing;  ///< keys for which two databases have different cycles; the first is kept
};

class Tables;

/// A database file. All members throw StoreError.
class Store {
 public:
  enum class Access : std::uint8_t {
    kRead,   ///< must exist; others may read and write at the same time
    kWrite,  ///< made when absent, and removed again where nothing is stored; refused while another process has it open
             ///< for writing (which is named)
  };

  Store(const std::filesystem::path& file, Access access);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Stores a point that ended, with its result (the JSON of `gpusim run`; empty when it failed), in one transaction.
  /// Replaces a failure of the same key. `program` is the version that computed it.
  void put(const PointRow& row, std::string_view result, std::string_view program);

  /// The point's numbers (status, reason, cycles, ...); what a study says of it (names, parameters) is left empty.
  [[nodiscard]] std::optional<PointRow> find(std::string_view key) const;

  /// The JSON that `gpusim run` gives; nothing when the point is unknown or failed.
  [[nodiscard]] std::optional<std::string> result(std::string_view key) const;

  /// Records a study and makes it the last one. The same study (text and keys) is recorded once. Changes nothing when
  /// the numbers of one of its points are damaged.
  std::int64_t record(const StudyRecord& study);
  /// Notes that this database holds the work of a share of the study.
  void note_share(std::int64_t study, const Share& share);

  /// All studies, the last one run at the end.
  [[nodiscard]] std::vector<StudyInfo> studies() const;
  /// The last study of that name, or the last of all for an empty name; nothing when there is none.
  [[nodiscard]] std::optional<StudyInfo> study(std::string_view name = {}) const;

  /// Points of a study that have not ended, in its order, with an empty status.
  [[nodiscard]] std::vector<PointRow> waiting(std::int64_t study) const;
  /// Points of a study in its order: done, failed and skipped; those never finished are left out.
  [[nodiscard]] std::vector<PointRow> points(std::int64_t study) const;

  /// Adds what the other databases hold to one, which is made when absent. All of them are checked before the first is
  /// added, so that one that is missing or damaged stops the merge with nothing changed; each is then added in one
  /// transaction. Throws InputError with all that cannot be used, when there are several.
  static MergeReport merge(const std::filesystem::path& into, std::span<const std::filesystem::path> others);

  [[nodiscard]] const std::filesystem::path& file() const;

 private:
  std::unique_ptr<Tables> tables_;
};

}  // namespace gpusim::sweep
