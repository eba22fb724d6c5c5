// SPDX-License-Identifier: MIT
// Reports of Nsight Systems as applications, and databases that are none.
#include "sim/system/nsys/report.h"

#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"

#include "tests/system/nsys/small_report.h"

namespace nsys_report_test {

using namespace gpusim;
using namespace gpusim::nsys;
using namespace gpusim::nsys::test;
using Catch::Contains;

namespace {

const std::string kWhole = std::string(kTables) + kStep;

kineto::Imported import_sql(const std::string& sql) {
  const SmallReport report(sql);
  return import_report(report.path());
}

std::string error_of(const std::string& sql) {
  try {
    static_cast<void>(import_sql(sql));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("was accepted");
  return "";
}

template <class T>
const T& call(const application::Calls& calls, std::size_t index) {
  return std::get<T>(calls.at(index).is);
}

}  // namespace

TEST_CASE("calls, kernels, copies, fills, waits and ranges of a report become an application") {
  const kineto::Imported imported = import_sql(kWhole);
  const application::Application& made = imported.application;
  CHECK(imported.kernels == 1);
  CHECK(imported.orphans == 0);
  REQUIRE(made.threads.size() == 1);
  const application::Calls& calls = made.bodies.front();
  const auto& copy = call<application::Copy>(calls, 1);
  CHECK(copy.bytes == 4096);
  CHECK(copy.way == application::Way::kToDevice);
  CHECK(made.streams[copy.stream].name == "stream13");
  const auto& range = call<application::Range>(calls, 2);
  CHECK(range.name == "forward");
  const auto& launch = call<application::Launch>(range.body, 1);
  CHECK(made.kernels[launch.kernel].name == "gemm_kernel");
  CHECK(made.kernels[launch.kernel].ctas == 32);
  CHECK(std::get<application::Recorded>(made.kernels[launch.kernel].how).ns == 50'000);
  CHECK(call<application::Fill>(range.body, range.body.size() - 1).bytes == 64);
  const std::string text = application::to_yaml(made);
  CHECK_NOTHROW(application::parse_application(text, "imported.yaml"));
}

TEST_CASE("a report names the GPU on which kernels were recorded, where its table has it") {
  const kineto::Imported imported = import_sql(kWhole +
                                               "CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT, totalMemory INT);\n"
                                               "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100-SXM4-40GB', 1);\n");
  CHECK(imported.arch == "a100-40gb");
  CHECK(import_sql(kWhole + "CREATE TABLE TARGET_INFO_GPU (id INT);\nINSERT INTO TARGET_INFO_GPU VALUES (0);\n")
            .gpu.empty());
  CHECK(import_sql(kWhole).gpu.empty());
}

TEST_CASE("a wait for a stream is one for that stream, not for the GPU") {
  const kineto::Imported imported = import_sql(kWhole);
  const application::Calls& calls = imported.application.bodies.front();
  const auto& wait = call<application::Synchronize>(calls, calls.size() - 2);
  CHECK(wait.of == application::SyncOf::kStream);
  CHECK(imported.application.streams[wait.which].name == "stream13");
}

TEST_CASE(
    "a stream waits for the event that was last recorded before, and a graph that was traced whole is one piece") {
  const kineto::Imported imported = import_sql(
      kWhole +
      "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (correlationId INT, eventId INT, streamId INT, globalPid INT);\n"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ADD COLUMN eventId INT;\n"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, streamId INT, correlationId "
      "INT, "
      "graphId INT, globalPid INT);\n"
      "INSERT INTO StringIds VALUES (7, 'cudaEventRecord'), (8, 'cudaStreamWaitEvent'), (9, 'cudaGraphLaunch');\n"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (91000, 92000, 0, 16777217, 21, 7), "
      "(93000, 94000, 0, 16777217, 22, 8), (95000, 96000, 0, 16777217, 23, 7), (97000, 98000, 0, 16777217, 24, 9);\n"
      "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (21, 5, 13, 16777216), (23, 5, 13, 16777216);\n"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 0, 22, 2, 14, 16777216, 5);\n"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (98000, 99000, 0, 14, 24, 3, 16777216);\n");
  const application::Application& made = imported.application;
  const application::Calls& calls = made.bodies.front();
  std::vector<const application::Record*> records;
  const application::WaitForEvent* wait = nullptr;
  for (const application::Call& one : calls) {
    if (const auto* const record = std::get_if<application::Record>(&one.is)) {
      records.push_back(record);
    }
    wait = std::get_if<application::WaitForEvent>(&one.is) ? std::get_if<application::WaitForEvent>(&one.is) : wait;
  }
  REQUIRE(records.size() == 1);
  REQUIRE(wait != nullptr);
  CHECK(made.streams[records.front()->stream].name == "stream13");
  CHECK(made.streams[wait->stream].name == "stream14");
  CHECK(wait->event == records.front()->event);
  CHECK(made.kernels.back().name == "graph 3");
}

TEST_CASE("correlations of two processes are not taken for each other") {
  const kineto::Imported imported =
      import_sql(kWhole +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 6000, 0, 33554433, 12, 1);\n"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (7000, 9000, 1, 1, 7, 12, 33554432, 5, 5, 1, 1, 1, 32, "
                 "1, 1, 8, 0, 0);");
  REQUIRE(imported.application.threads.size() == 2);
  CHECK(imported.application.threads[1].gpu == "gpu1");
  CHECK(imported.kernels == 2);
}

TEST_CASE("a copy between GPUs goes to the other GPU, and a column that a version lacks is not missed") {
  const kineto::Imported imported = import_sql(
      kWhole +
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (91000, 92000, 0, 16777217, 15, 2);\n"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (93000, 94000, 0, 13, 15, 16777216, 8, 10, 3, 3, 0, 1);\n"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN staticSharedMemory;\n"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMSET DROP COLUMN globalPid;\n");
  const application::Calls& calls = imported.application.bodies.front();
  const auto& copy = call<application::Copy>(calls, calls.size() - 2);
  CHECK(copy.way == application::Way::kToPeer);
  CHECK(copy.peer == "gpu1");
  CHECK(imported.orphans == 0);
}

TEST_CASE("work whose call is not there is counted and left out") {
  CHECK(import_sql(kWhole + "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = 13;").orphans == 1);
}

TEST_CASE("a database without a table or a column is refused with its name and the nearest") {
  CHECK_THAT(error_of(kWhole + "DROP TABLE StringIds; CREATE TABLE StringId (id INT);"),
             Contains("has no table 'StringIds' (did you mean 'StringId'?)"));
  CHECK_THAT(error_of(kWhole + "ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME RENAME COLUMN nameId TO nameIds;"),
             Contains("the table 'CUPTI_ACTIVITY_KIND_RUNTIME' has no column 'nameId' (did you mean 'nameIds'?)"));
  CHECK_THAT(error_of(kWhole + "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                               "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET;"),
             Contains("has no work of a GPU"));
}

TEST_CASE("times that are negative or run backwards are refused") {
  CHECK_THAT(error_of(kWhole + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -5;"),
             Contains("'CUPTI_ACTIVITY_KIND_KERNEL' has a row from -5 to 81000 ns (times are not negative"));
  CHECK_THAT(error_of(kWhole + "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = 3;"), Contains("run backwards"));
  CHECK_THAT(error_of(kWhole + "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = 9007199254740992, start = 30000 "
                               "WHERE correlationId = 11;"),
             Contains("more than 1,000 seconds"));
}

TEST_CASE("a view or a virtual table in place of a table is not run") {
  CHECK_THAT(error_of(kWhole + "DROP TABLE NVTX_EVENTS; DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;"
                               "CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS WITH RECURSIVE r(start) AS (SELECT 1 UNION "
                               "ALL SELECT start + 1 FROM r) SELECT * FROM r;"),
             Contains("has no table 'CUPTI_ACTIVITY_KIND_RUNTIME'"));
}

TEST_CASE("more rows than an application has calls are refused before they fill the memory") {
  CHECK_THAT(error_of(kWhole + "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 4000001) "
                               "INSERT INTO StringIds SELECT 100 + i, '' FROM r;"),
             Contains("has more than 4,000,000 rows"));
}

TEST_CASE("what is not a database, or is cut off, is refused in a sentence") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gpusim-nsys-odd.sqlite";
  std::ofstream(file) << "SQLite format 3, or so";
  CHECK(is_database(file));
  CHECK_THROWS_WITH(import_report(file), Contains("cannot be read as a database"));
  std::filesystem::remove(file);
  CHECK_FALSE(is_database(file));
  CHECK_THROWS_WITH(import_report(file), Contains("cannot be read as a database"));
}

}  // namespace nsys_report_test
