// SPDX-License-Identifier: MIT
// The tables of a database of sweeps and the statements on them; when to begin and end a transaction is the Store's
// business. Internal to the store.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/sweep/store/sqlite.h"
#include "sim/commands/sweep/store/store.h"
#include "sim/commands/sweep/store/writer_lock.h"

namespace gpusim::sweep {

/// A database that is made here goes away again where nothing is stored in it.
class UnusedFile {
 public:
  UnusedFile(const std::filesystem::path& file, Store::Access access);
  ~UnusedFile();
  UnusedFile(const UnusedFile&) = delete;
  UnusedFile& operator=(const UnusedFile&) = delete;

  void keep() { file_.clear(); }

 private:
  std::filesystem::path file_;  ///< empty: it stays
};

class Tables {
 public:
  Tables(const std::filesystem::path& file, Store::Access access);

  [[nodiscard]] Database& database() { return database_; }
  /// Something is stored: a file that was made for it stays.
  void keep_file() { unused_.keep(); }

  [[nodiscard]] std::optional<PointRow> find(std::string_view key);
  /// Adds the point, or replaces it when it had failed.
  void put(const PointRow& row, std::string_view program, std::string_view packed_result);
  std::int64_t record(const StudyRecord& study);
  void note_share(std::int64_t study, const Share& share);

  /// `where` narrows the studies and may ask for `value`.
  [[nodiscard]] std::vector<StudyInfo> studies(const std::string& where = "", std::string_view value = {});
  /// What the study asked for, all of it, without numbers.
  [[nodiscard]] std::vector<PointRow> asked(std::int64_t study);
  [[nodiscard]] std::vector<Share> shares(std::int64_t study);
  /// What the study asked for and that has not ended; their status is empty.
  [[nodiscard]] std::vector<PointRow> waiting(std::int64_t study);
  /// Positions of the points that never ended.
  [[nodiscard]] std::vector<std::uint64_t> missing(std::int64_t study);
  /// The programs that computed points of a study, in the order of their names.
  [[nodiscard]] std::vector<std::string> programs(std::int64_t study);
  /// Points of the study that ended or are skipped, with their numbers.
  [[nodiscard]] std::vector<PointRow> ended(std::int64_t study);

 private:
  void make();
  void check_layout();
  void read_asked(const Statement& row, PointRow& point);

  std::unique_ptr<WriterLock> lock_;  ///< before the database: taken first, let go last
  UnusedFile unused_;                 ///< between them: removes a file that is closed, and still locked
  Database database_;
};

/// What a study without a name of its own is called.
[[nodiscard]] std::string numbered_name(std::int64_t study);

/// What read_numbers() takes, of the table point; kNumberColumns of them.
inline constexpr std::string_view kNumbers =
    "point.key, point.status, point.reason, point.cycles, point.time_us, point.bound, point.metrics, "
    "point.host_seconds, point.program, point.sum";
inline constexpr int kNumberColumns = 10;
/// Reads the columns of kNumbers, of which the row has others in front. Throws StoreError when they do not have their
/// checksum.
void read_numbers(const Database& database, const Statement& row, int first, PointRow& point);

}  // namespace gpusim::sweep
