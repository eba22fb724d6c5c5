// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/tables.h"

#include <bit>
#include <system_error>

#include "sim/commands/sweep/store/digest.h"
#include "sim/commands/sweep/store/packed.h"

namespace gpusim::sweep {
namespace {

/// "gpsw", in SQLite's field for the program that a file belongs to.
constexpr std::int64_t kApplication = 0x67707377;

// A result is far longer than the numbers of a point, so it lies elsewhere: a query over all points reads few pages.
constexpr const char* kTables = R"(
CREATE TABLE point(
  key TEXT PRIMARY KEY, program TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, cycles INTEGER NOT NULL,
  time_us REAL NOT NULL, bound TEXT NOT NULL, metrics TEXT NOT NULL, host_seconds REAL NOT NULL, sum TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE result(key TEXT PRIMARY KEY REFERENCES point, json_zstd BLOB NOT NULL);
CREATE TABLE study(
  id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL, text TEXT NOT NULL, used INTEGER NOT NULL,
  points INTEGER NOT NULL, sum TEXT NOT NULL);
CREATE TABLE asked(
  study INTEGER NOT NULL REFERENCES study, position INTEGER NOT NULL, key TEXT, arch TEXT NOT NULL,
  trace TEXT NOT NULL, parameters TEXT NOT NULL, derived TEXT NOT NULL, skipped TEXT, sum TEXT NOT NULL,
  PRIMARY KEY(study, position)) WITHOUT ROWID;
CREATE TABLE share(
  study INTEGER NOT NULL REFERENCES study, part INTEGER NOT NULL, of INTEGER NOT NULL,
  PRIMARY KEY(study, part, of)) WITHOUT ROWID;
)";

constexpr int kTableCount = 5;

/// The columns of the table `asked`.
constexpr std::string_view kAsked =
    "asked.key, asked.arch, asked.trace, asked.parameters, asked.derived, asked.skipped, asked.sum";
constexpr int kAskedColumns = 7;

/// The checksum of a row of the table point. SQLite has none, and a flipped bit in a number is a number, too.
std::string sum_of(const PointRow& row, std::string_view program, std::string_view metrics) {
  Digest digest;
  digest.add(row.key).add(program).add(row.status).add(row.reason).add(row.cycles);
  digest.add(std::bit_cast<std::uint64_t>(row.time_us)).add(row.bound).add(metrics);
  return digest.add(std::bit_cast<std::uint64_t>(row.host_seconds)).hex();
}

std::string sum_of_study(std::string_view digest, std::string_view name, std::string_view text, std::uint64_t points) {
  return Digest().add(digest).add(name).add(text).add(points).hex();
}

/// The checksum of a row of the table asked; `skipped` is null where the point is not skipped.
std::string sum_of_asked(const PointRow& row, std::string_view parameters, std::string_view derived,
                         const std::string* skipped) {
  Digest digest;
  digest.add(row.key).add(row.arch).add(row.trace).add(parameters).add(derived);
  return digest.add(skipped == nullptr ? "" : "skipped").add(skipped == nullptr ? "" : *skipped).hex();
}

/// What makes two studies the same: their text and all that each point asks for.
std::string digest_of(const StudyRecord& study) {
  Digest digest;
  digest.add(study.text);
  for (const PointRow& point : study.points) {
    digest.add(point.key).add(point.arch).add(point.trace).add(to_json(point.parameters));
  }
  return digest.hex();
}

std::unique_ptr<WriterLock> lock_for(const std::filesystem::path& file, Store::Access access) {
  return access == Store::Access::kWrite ? std::make_unique<WriterLock>(file) : nullptr;
}

}  // namespace

UnusedFile::UnusedFile(const std::filesystem::path& file, Store::Access access) {
  std::error_code ignored;
  if (access == Store::Access::kWrite && !std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
    file_ = file;
  }
}

UnusedFile::~UnusedFile() {
  if (!file_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
}

Tables::Tables(const std::filesystem::path& file, Store::Access access)
    : lock_(lock_for(file, access)),
      unused_(file, access),
      database_(file, lock_ == nullptr ? Database::Mode::kExisting : Database::Mode::kCreate) {
  const bool is_blank =
      database_.number("PRAGMA user_version") == 0 && database_.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (lock_ == nullptr || !is_blank) {
    check_layout();  // before anything is written: another program's file stays as it is
  }
  if (lock_ != nullptr) {
    // A journal that is rolled back, not a write-ahead log: the log needs memory shared between all who have the file
    // open, which network file systems lack. Each commit is on the disk before it returns.
    database_.run("PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA");
  }
  if (lock_ != nullptr && is_blank) {
    make();
  }
}

std::string numbered_name(std::int64_t study) {
  return "sweep-" + std::to_string(study);
}

void Tables::make() {
  Transaction all(database_);
  database_.run(kTables);
  database_.run(("PRAGMA application_id=" + std::to_string(kApplication)).c_str());
  database_.run(("PRAGMA user_version=" + std::to_string(kStoreSchema)).c_str());
  all.commit();
}

void Tables::check_layout() {
  std::error_code ignored;
  if (std::filesystem::is_empty(database_.file(), ignored)) {
    throw StoreError(StoreFault::kMissing, database_.file(), "is empty: nothing was stored",
                     "`gpusim sweep` fills it; --db names another");
  }
  if (database_.number("PRAGMA application_id") != kApplication) {
    throw StoreError(StoreFault::kNotADatabase, database_.file(), "is a database, but not one of sweeps",
                     "--db names another file");
  }
  if (const std::int64_t schema = database_.number("PRAGMA user_version"); schema != kStoreSchema) {
    throw StoreError(StoreFault::kOtherVersion, database_.file(),
                     "has layout " + std::to_string(schema) + " of another version of gpusim; this one reads layout " +
                         std::to_string(kStoreSchema),
                     "--db names another file");
  }
  if (database_.number("SELECT count(*) FROM sqlite_schema WHERE type='table' AND name IN ('point', 'result', 'study', "
                       "'asked', 'share')") != kTableCount) {
    database_.fail_damaged("a table is missing");
  }
  if (lock_ != nullptr) {
    if (const std::string said = database_.text("PRAGMA quick_check(1)"); said != "ok") {
      database_.fail_damaged("SQLite's check says '" + said + "'");
    }
  }
}

void read_numbers(const Database& database, const Statement& row, int first, PointRow& point) {
  point.key = row.text(first);
  point.status = row.text(first + 1);
  point.reason = row.text(first + 2);
  point.cycles = static_cast<std::uint64_t>(row.number(first + 3));
  point.time_us = row.real(first + 4);
  point.bound = row.text(first + 5);
  const std::string metrics_text = row.text(first + 6);
  auto metrics = metrics_of(metrics_text);
  if (!metrics) {
    database.fail_damaged("the numbers of point " + point.key + " cannot be read");
  }
  point.metrics = std::move(*metrics);
  point.host_seconds = row.real(first + 7);
  point.program = row.text(first + 8);
  if (row.text(first + 9) != sum_of(point, point.program, metrics_text)) {
    database.fail_damaged("the numbers of point " + point.key + " do not have their checksum");
  }
}

void Tables::read_asked(const Statement& row, PointRow& point) {
  point.key = row.text(0);
  point.arch = row.text(1);
  point.trace = row.text(2);
  const std::string parameters_text = row.text(3);
  const std::string derived_text = row.text(4);
  auto parameters = pairs_of(parameters_text);
  auto derived = pairs_of(derived_text);
  if (!parameters || !derived) {
    database_.fail_damaged("what a study asked of a point cannot be read");
  }
  point.parameters = std::move(*parameters);
  point.derived = std::move(*derived);
  if (!row.is_null(5)) {
    point.status = kSkipped;
    point.reason = row.text(5);
  }
  const std::string* const skipped = row.is_null(5) ? nullptr : &point.reason;
  if (row.text(6) != sum_of_asked(point, parameters_text, derived_text, skipped)) {
    database_.fail_damaged("what a study asked of a point does not have its checksum");
  }
}

std::optional<PointRow> Tables::find(std::string_view key) {
  Statement row(database_, "SELECT " + std::string(kNumbers) + " FROM point WHERE key=?");
  if (!row.bind(key).step()) {
    return std::nullopt;
  }
  PointRow point;
  read_numbers(database_, row, 0, point);
  return point;
}

void Tables::put(const PointRow& row, std::string_view program, std::string_view packed_result) {
  Statement(database_, "DELETE FROM point WHERE key=? AND status='failed'").bind(row.key).run();
  const std::string metrics = to_json(row.metrics);
  Statement(database_, "INSERT OR IGNORE INTO point VALUES(?,?,?,?,?,?,?,?,?,?)")
      .bind(row.key)
      .bind(program)
      .bind(row.status)
      .bind(row.reason)
      .bind(static_cast<std::int64_t>(row.cycles))
      .bind(row.time_us)
      .bind(row.bound)
      .bind(metrics)
      .bind(row.host_seconds)
      .bind(sum_of(row, program, metrics))
      .run();
  if (!packed_result.empty()) {
    Statement(database_, "INSERT OR IGNORE INTO result VALUES(?,?)").bind(row.key).bind_blob(packed_result).run();
  }
}

std::int64_t Tables::record(const StudyRecord& study) {
  const std::string digest = digest_of(study);
  const std::int64_t used = database_.number("SELECT coalesce(max(used), 0) + 1 FROM study");
  Statement known(database_, "UPDATE study SET used=? WHERE digest=? RETURNING id");
  if (known.bind(used).bind(digest).step()) {
    return known.number(0);
  }
  const std::int64_t id = database_.number("SELECT coalesce(max(id), 0) + 1 FROM study");
  const std::string name = study.name.empty() ? numbered_name(id) : study.name;
  Statement(database_, "INSERT INTO study VALUES(?,?,?,?,?,?,?)")
      .bind(id)
      .bind(digest)
      .bind(name)
      .bind(study.text)
      .bind(used)
      .bind(static_cast<std::int64_t>(study.points.size()))
      .bind(sum_of_study(digest, name, study.text, study.points.size()))
      .run();
  Statement insert(database_, "INSERT INTO asked VALUES(?,?,?,?,?,?,?,?,?)");
  std::int64_t position = 0;
  for (const PointRow& point : study.points) {
    insert.bind(id).bind(++position);
    point.key.empty() ? insert.bind_null() : insert.bind(point.key);
    const std::string parameters = to_json(point.parameters);
    const std::string derived = to_json(point.derived);
    const std::string* const skipped = point.status == kSkipped ? &point.reason : nullptr;
    insert.bind(point.arch).bind(point.trace).bind(parameters).bind(derived);
    skipped != nullptr ? insert.bind(*skipped) : insert.bind_null();
    insert.bind(sum_of_asked(point, parameters, derived, skipped)).run();
  }
  return id;
}

void Tables::note_share(std::int64_t study, const Share& share) {
  Statement(database_, "INSERT OR IGNORE INTO share VALUES(?,?,?)")
      .bind(study)
      .bind(static_cast<std::int64_t>(share.index))
      .bind(static_cast<std::int64_t>(share.count))
      .run();
}

std::vector<StudyInfo> Tables::studies(const std::string& where, std::string_view value) {
  Statement rows(
      database_,
      "SELECT id, name, text, count(asked.position), "
      "count(*) FILTER (WHERE point.status='done'), count(*) FILTER (WHERE point.status='failed'), "
      "count(asked.skipped), study.points, study.digest, study.sum FROM study LEFT JOIN asked ON asked.study=study.id "
      "LEFT JOIN point ON point.key=asked.key " +
          where + " GROUP BY study.id ORDER BY used");
  if (!value.empty()) {
    rows.bind(value);
  }
  std::vector<StudyInfo> out;
  const auto count = [&rows](int column) { return static_cast<std::uint64_t>(rows.number(column)); };
  while (rows.step()) {
    out.push_back({rows.number(0), rows.text(1), rows.text(2), count(3), count(4), count(5), count(6)});
    const StudyInfo& study = out.back();
    if (study.points != count(7) || rows.text(9) != sum_of_study(rows.text(8), study.name, study.text, count(7))) {
      database_.fail_damaged("study " + numbered_name(study.id) + " does not have its checksum, or lost points");
    }
  }
  return out;
}

std::vector<PointRow> Tables::asked(std::int64_t study) {
  Statement rows(database_, "SELECT " + std::string(kAsked) + " FROM asked WHERE study=? ORDER BY position");
  rows.bind(study);
  std::vector<PointRow> out;
  while (rows.step()) {
    read_asked(rows, out.emplace_back());
  }
  return out;
}

std::vector<PointRow> Tables::waiting(std::int64_t study) {
  Statement rows(database_, "SELECT " + std::string(kAsked) +
                                " FROM asked LEFT JOIN point ON point.key=asked.key "
                                "WHERE study=? AND skipped IS NULL AND point.key IS NULL ORDER BY position");
  rows.bind(study);
  std::vector<PointRow> out;
  while (rows.step()) {
    read_asked(rows, out.emplace_back());
  }
  return out;
}

std::vector<Share> Tables::shares(std::int64_t study) {
  Statement rows(database_, "SELECT part, of FROM share WHERE study=? ORDER BY of, part");
  rows.bind(study);
  std::vector<Share> out;
  while (rows.step()) {
    out.push_back({static_cast<std::uint64_t>(rows.number(0)), static_cast<std::uint64_t>(rows.number(1))});
  }
  return out;
}

std::vector<std::uint64_t> Tables::missing(std::int64_t study) {
  Statement rows(database_,
                 "SELECT position FROM asked LEFT JOIN point ON point.key=asked.key "
                 "WHERE study=? AND skipped IS NULL AND point.key IS NULL ORDER BY position");
  rows.bind(study);
  std::vector<std::uint64_t> out;
  while (rows.step()) {
    out.push_back(static_cast<std::uint64_t>(rows.number(0)));
  }
  return out;
}

std::vector<std::string> Tables::programs(std::int64_t study) {
  Statement rows(database_,
                 "SELECT DISTINCT program FROM asked JOIN point ON point.key=asked.key WHERE study=? ORDER BY program");
  rows.bind(study);
  std::vector<std::string> out;
  while (rows.step()) {
    out.push_back(rows.text(0));
  }
  return out;
}

std::vector<PointRow> Tables::ended(std::int64_t study) {
  Statement rows(database_, "SELECT " + std::string(kAsked) + ", " + std::string(kNumbers) +
                                " FROM asked LEFT JOIN point ON point.key=asked.key "
                                "WHERE (skipped IS NOT NULL OR point.key IS NOT NULL) AND study=? ORDER BY position");
  rows.bind(study);
  std::vector<PointRow> out;
  while (rows.step()) {
    PointRow& point = out.emplace_back();
    read_asked(rows, point);
    if (point.status != kSkipped) {
      read_numbers(database_, rows, kAskedColumns, point);
    }
  }
  return out;
}

}  // namespace gpusim::sweep
