// SPDX-License-Identifier: MIT
// Reports of Nsight Systems as tests want them: small, and made by SQL.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

namespace gpusim::nsys::test {

/// The tables of a report, with the columns that are read and one that is not.
inline constexpr const char* kTables = R"(
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT, correlationId INT,
  nameId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT, streamId INT,
  correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT, blockX INT,
  blockY INT, blockZ INT, registersPerThread INT, staticSharedMemory INT, dynamicSharedMemory INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
  globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT, srcDeviceId INT, dstDeviceId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
  globalPid INT, bytes INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, correlationId INT, syncType INT, streamId INT,
  globalPid INT);
CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, textId INT, globalTid INT);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cudaMemcpyAsync_v3020'),
  (3, 'cudaStreamSynchronize_v3020'), (4, 'cudaMemsetAsync_v3020'), (5, 'gemm_kernel'), (6, 'forward');
)";

/// A copy, a kernel and a fill on streams, a wait for one of them, and a range around the launch, of process 16777216.
inline constexpr const char* kStep = R"(
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 6000, 0, 16777217, 11, 2), (20000, 26000, 0, 16777217, 12, 1),
  (27000, 29000, 0, 16777217, 13, 4), (30000, 90000, 0, 16777217, 14, 3);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (8000, 12000, 0, 13, 11, 16777216, 4096, 1, 2, 3, NULL, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (31000, 81000, 0, 1, 13, 12, 16777216, 5, 5, 8, 4, 1, 128, 1, 1, 32, 0,
  1024);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (81000, 82000, 0, 7, 13, 16777216, 64);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (30100, 89000, 14, 3, 13, 16777216);
INSERT INTO NVTX_EVENTS VALUES (15000, 28000, 59, NULL, 6, 16777217), (100, 200, 34, 'mark', NULL, 16777217);
)";

/// A database that is gone with the object.
class SmallReport {
 public:
  explicit SmallReport(const std::string& sql)
      : path_(std::filesystem::temp_directory_path() /
              ("gpusim-nsys-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".sqlite")) {
    write(path_, sql);
  }
  ~SmallReport() { std::filesystem::remove(path_); }
  SmallReport(const SmallReport&) = delete;
  SmallReport& operator=(const SmallReport&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  static void write(const std::filesystem::path& file, const std::string& sql) {
    std::filesystem::remove(file);
    sqlite3* handle = nullptr;
    if (sqlite3_open(file.c_str(), &handle) != SQLITE_OK ||
        sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      const std::string why = sqlite3_errmsg(handle);
      sqlite3_close(handle);
      throw std::runtime_error(why);
    }
    sqlite3_close(handle);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace gpusim::nsys::test
