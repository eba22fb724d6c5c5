// SPDX-License-Identifier: MIT
// gpusim occupancy --batch: a CSV of launches.
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace occupancy_batch_test {

using Catch::Matchers::Contains;
using gpusim::app::content_of;
using gpusim::app::Workshop;

namespace {

const std::string kHeader =
    "cc,regs_per_thread,threads_per_cta,static_smem_bytes,dynamic_smem_bytes,carveout_pct,barriers_per_cta,optin";
const std::string kAnswers = ",status,active_ctas_per_sm,binding_limits";

Workshop::Said batch(const Workshop& shop, const std::string& text) {
  shop.write("in.csv", text);
  return shop.run("occupancy --batch in.csv");
}

void check_refused(const std::string& text, const std::string& message) {
  const Workshop shop;
  const Workshop::Said said = batch(shop, text);
  INFO(said.err);
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains(message));
  CHECK(said.out.empty());
}

/// Every column after `kept` columns is emptied, below the header.
std::string without_answers(const std::string& csv, std::size_t kept) {
  std::string out;
  std::size_t column = 0;
  bool is_header = true;
  for (const char c : csv) {
    column = c == '\n' ? 0 : column + (c == ',');
    if (c == ',' || c == '\n' || is_header || column < kept || column > 22 || column == 13) {
      out += c;
    }
    is_header = is_header && c != '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("a batch answers every row of the vectors as NVIDIA's calculator, in its words") {
  const std::string vectors = content_of(std::string(GPUSIM_SOURCE_DIR) + "/tests/validation/occupancy-vectors.csv");
  const Workshop shop;
  shop.write("in.csv", without_answers(vectors, 10));
  const Workshop::Said said = shop.run("occupancy --batch in.csv -o out.csv");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK(said.out.empty());
  CHECK((content_of(shop.folder() / "out.csv") == vectors));  // not shown: it is long
}

TEST_CASE("answers are appended where the file has no such columns, and other columns are carried through") {
  const Workshop shop;
  CHECK(batch(shop, "id,note," + kHeader + "\n7,\"a \"\"b\"\", c\",9.0,92,224,0,0,-1,1,0\n").out ==
        "id,note," + kHeader + kAnswers + "\n7,\"a \"\"b\"\", c\",9.0,92,224,0,0,-1,1,0,ok,2,registers\n");
}

TEST_CASE("columns may stand in any order, and answers that are there are replaced in their place") {
  const Workshop shop;
  CHECK(batch(shop,
              "optin,status,barriers_per_cta,carveout_pct,dynamic_smem_bytes,static_smem_bytes,threads_per_cta,"
              "regs_per_thread,cc\n1,?,1,-1,0,0,256,32,8.0\n")
            .out ==
        "optin,status,barriers_per_cta,carveout_pct,dynamic_smem_bytes,static_smem_bytes,threads_per_cta,"
        "regs_per_thread,cc,active_ctas_per_sm,binding_limits\n"
        "1,ok,1,-1,0,0,256,32,8.0,8,warps|registers\n");
}

TEST_CASE("numbers that are not a launch are an error of the row, not of the file") {
  const Workshop shop;
  std::string rows;
  std::string answers;
  for (const char* row : {"9.0,32,0,0,0,-1,1,0", "9.0,32,128,0,0,-2,1,0", "9.0,32,128,0,0,101,1,0",
                          "9.0,32,-128,0,0,-1,1,0", "9.0,-1,128,0,0,-1,1,0"}) {
    rows += std::string(row) + "\n";
    answers += std::string(row) + ",error_1,,\n";
  }
  CHECK(batch(shop, kHeader + "\n" + rows).out == kHeader + kAnswers + "\n" + answers);
}

TEST_CASE("CRLF, blank lines, a byte-order mark and a last line without end are read as what they are") {
  const Workshop shop;
  CHECK(
      batch(shop, "\xEF\xBB\xBF" + kHeader + "\r\n\r\n9.0, 32 ,128,0,0,-1,1,0\r\n\r\n9.0,32,\"256\",0,0,-1,1,0").out ==
      kHeader + kAnswers +
          "\n9.0,32,128,0,0,-1,1,0,ok,16,warps|registers\n9.0,32,256,0,0,-1,1,0,ok,8,warps|registers\n");
}

TEST_CASE("the same launches give the same bytes") {
  const Workshop shop;
  const std::string text = kHeader + "\n9.0,32,128,0,0,-1,1,0\n8.0,64,256,1024,0,50,1,1\n";
  CHECK(batch(shop, text).out == batch(shop, text).out);
}

TEST_CASE("every malformed cell is reported at once, with line and column") {
  const Workshop shop;
  const Workshop::Said said = batch(shop, kHeader +
                                              "\n9.9,32,128,0,0,-1,1,0\n"
                                              "9.0,nan,128,0,0,-1,1,0\n"
                                              "9.0,32,128\n"
                                              "9.0,32,1e3,0,\"\",-1,99999999999,2\n");
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK_THAT(said.err, Contains("in.csv:2:1: unknown compute capability '9.9' (known: 7.0, 7.5, 8.0, 8.6, 8.9, 9.0, "
                                "10.0, 12.0)"));
  CHECK_THAT(said.err, Contains("in.csv:3:5: regs_per_thread: 'nan' is not a whole number"));
  CHECK_THAT(said.err, Contains("in.csv:4: 3 cells, where the header has 8"));
  CHECK_THAT(said.err, Contains("in.csv:5:8: threads_per_cta: '1e3' is not a whole number"));
  CHECK_THAT(said.err, Contains("in.csv:5:14: dynamic_smem_bytes: '' is not a whole number"));
  CHECK_THAT(said.err, Contains("in.csv:5:20: barriers_per_cta: '99999999999' is out of range"));
  CHECK_THAT(said.err, Contains("in.csv:5:32: optin: '2' is neither 0 nor 1"));
}

TEST_CASE("every missing column is named, with the one that was probably meant") {
  check_refused("cc,regs_per_thraed,threads_per_cta,static_smem_bytes,dynamic_smem_bytes,carveout_pct,optin\n",
                "in.csv:1: column 'regs_per_thread' is missing (is it 'regs_per_thraed'?)");
  check_refused("cc,regs_per_thraed,threads_per_cta,static_smem_bytes,dynamic_smem_bytes,carveout_pct,optin\n",
                "in.csv:1: column 'barriers_per_cta' is missing");
  check_refused(kHeader + ",cc\n", "column 'cc' is there twice");
}

TEST_CASE("a file that is not a table is refused") {
  check_refused("", "in.csv: is empty");
  check_refused("\n \n\n", "in.csv: has no header");
  check_refused(kHeader + "\n9.0,32,\"128", "in.csv:2:8: a quoted cell does not end");
  check_refused(kHeader + "\n9.0,3\"2,128,0,0,-1,1,0\n", "in.csv:2:6: a '\"' in the middle of a cell");
  check_refused(std::string(20'000, 'x'), "this is not a table");
  check_refused(std::string(20'000, ','), "this is not a table");
  std::mt19937 random(7);
  std::string noise;
  for (int i = 0; i < 50'000; ++i) {
    noise += static_cast<char>(random());
  }
  check_refused(noise, "in.csv:");
}

TEST_CASE("many faults are counted, not all printed") {
  const Workshop shop;
  std::string text = kHeader + "\n";
  for (int i = 0; i < 1000; ++i) {
    text += "9.0,x,128,0,0,-1,1,0\n";
  }
  const Workshop::Said said = batch(shop, text);
  CHECK(said.code == 2);
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') < 100);
}

TEST_CASE("a batch that cannot be read or written is refused") {
  const Workshop shop;
  std::filesystem::create_directory(shop.folder() / "folder");
  shop.write("in.csv", kHeader + "\n");
  for (const auto& [arguments, message] : {std::pair{"--batch nosuch.csv", "nosuch.csv: no such file"},
                                           {"--batch folder", "folder: is a folder"},
                                           {"--batch in.csv -o nowhere/out.csv", "nowhere/out.csv: cannot write"}}) {
    const Workshop::Said said = shop.run(std::string("occupancy ") + arguments);
    CHECK(said.code == 2);
    CHECK_THAT(said.err, Contains(message));
  }
}

}  // namespace occupancy_batch_test
