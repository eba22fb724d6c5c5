// SPDX-License-Identifier: MIT
// The kernels of check.cu: each with a mistake, and without it.
#include "sim/exec/check/checker.h"

#include <memory>

#include <catch2/catch.hpp>

#include "tests/exec/run/kernel_run.h"

namespace gpusim::exec::checker_test {
namespace {

using Kind = Finding::Kind;

std::string cubin() {
  return GENERATE(as<std::string>{}, "check_sm80.cubin", "check_sm90.cubin");
}

std::vector<int> iota(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = i;
  }
  return values;
}

/// A run of one of the kernels with a check.
class CheckedRun {
 public:
  explicit CheckedRun(const std::string& cubin) : kernel_(cubin, "tests/exec/check/data") {}

  [[nodiscard]] KernelRun& kernel() { return kernel_; }
  template <class... Parameters>
  std::vector<Finding> run(const std::string& name, Dim3 grid, Dim3 block, Parameters... parameters) {
    image_ = std::make_unique<Image>(kernel_.image(name, grid, block, parameters...));
    DirectPort port(kernel_.memory());
    Checker checker(*image_);
    run_watched(*image_, port, {}, checker);
    return checker.findings();
  }
  [[nodiscard]] std::string text(const Finding& finding) const { return to_text(finding, *image_); }
  [[nodiscard]] std::string line(const Finding& finding) const {
    const std::string where = image_->line_text(finding.pc);
    return where.substr(where.rfind('/') + 1);
  }

 private:
  KernelRun kernel_;
  std::unique_ptr<Image> image_;
};

std::vector<Kind> kinds(const std::vector<Finding>& findings) {
  std::vector<Kind> all;
  for (const Finding& finding : findings) {
    all.push_back(finding.kind);
  }
  return all;
}

TEST_CASE("a reduction that waits has no findings; one that does not has races with both lines") {
  CheckedRun run(cubin());
  const Address in = run.kernel().buffer("in", iota(256));
  const Address out = run.kernel().buffer("out", std::vector<int>(1));
  CHECK(run.run("sum", {1}, {256}, in, out, 1).empty());
  CHECK(run.kernel().content<int>(out, 1) == std::vector{255 * 128});
  const std::vector<Finding> found = run.run("sum", {1}, {256}, in, out, 0);
  REQUIRE(!found.empty());
  for (const Finding& finding : found) {
    CHECK((finding.kind == Kind::kReadAfterWrite || finding.kind == Kind::kWriteAfterRead));
    CHECK(run.line(finding) == "check.cu:11");
    CHECK(finding.other.find("of warp") != std::string::npos);
  }
}

TEST_CASE("accesses behind a buffer are left out, counted, and told with thread, instruction and line") {
  CheckedRun run(cubin());
  const Address in = run.kernel().buffer("in", iota(256));
  const Address out = run.kernel().buffer("out", std::vector<int>(200));
  CHECK(run.run("beyond", {2}, {128}, in, out, 200).empty());
  const std::vector<Finding> found = run.run("beyond", {2}, {128}, in, out, 204);
  REQUIRE(kinds(found) == std::vector{Kind::kOutOfBounds});
  CHECK(found[0].times == 4);
  CHECK(run.line(found[0]) == "check.cu:26");
  const std::string text = run.text(found[0]);
  CHECK(text.find("invalid global write of 4 bytes at") != std::string::npos);
  CHECK(text.find("behind the end of buffer \"out\"") != std::string::npos);
  CHECK(text.find("by lane 8 of warp 2 in CTA (1, 0, 0), thread (72, 0, 0), at") != std::string::npos);
  CHECK(text.find("STG") != std::string::npos);
  CHECK(run.kernel().content<int>(out, 200)[199] == 199);
}

TEST_CASE("misaligned lanes are counted, and the others load what is there") {
  CheckedRun run(cubin());
  const Address in = run.kernel().buffer("in", iota(64));
  const Address out = run.kernel().buffer("out", std::vector<int>(32, -1));
  CHECK(run.run("steps", {1}, {32}, in, out, 4).empty());
  const std::vector<Finding> found = run.run("steps", {1}, {32}, in, out, 2);
  REQUIRE(kinds(found) == std::vector{Kind::kMisaligned});
  CHECK(found[0].times == 16);
  const std::vector<int> values = run.kernel().content<int>(out, 32);
  for (std::size_t i = 0; i < 32; i += 2) {
    CHECK(values[i] == static_cast<int>(i / 2));
  }
}

TEST_CASE("shared memory that nobody has written is found when it is read") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(128));
  CHECK(run.run("unwritten", {2}, {128}, out, 64).empty());
  const std::vector<Finding> found = run.run("unwritten", {2}, {128}, out, 32);
  REQUIRE(kinds(found) == std::vector{Kind::kUninitialised});
  CHECK(found[0].times == 2 * 64);
  CHECK(run.line(found[0]) == "check.cu:40");
}

TEST_CASE("writes of one place race when they leave different values, also those of one instruction") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(128));
  CHECK(run.run("all_write", {1}, {128}, out, 0).empty());
  CHECK(kinds(run.run("all_write", {1}, {128}, out, 1)) == std::vector{Kind::kWriteAfterWrite});
  const std::vector<Finding> of_a_warp = run.run("all_write", {1}, {32}, out, 32);
  REQUIRE(kinds(of_a_warp) == std::vector{Kind::kWriteAfterWrite});
  CHECK(of_a_warp[0].times == 31);
}

TEST_CASE("bytes beside one another do not race, the same byte does") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(128));
  CHECK(run.run("bytes", {1}, {128}, out, 0).empty());
  CHECK(kinds(run.run("bytes", {1}, {128}, out, 1)) == std::vector{Kind::kWriteAfterWrite});
}

TEST_CASE("lanes of a warp that have parted race, those that own what they read do not") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(32));
  CHECK(run.run("lanes_part", {1}, {32}, out, 0).empty());
  CHECK(!run.run("lanes_part", {1}, {32}, out, 16).empty());
}

TEST_CASE("a copy to shared memory races until its group has been waited for") {
  CheckedRun run(cubin());
  const Address in = run.kernel().buffer("in", iota(32));
  const Address out = run.kernel().buffer("out", std::vector<int>(32));
  CHECK(run.run("copy", {1}, {32}, in, out, 1).empty());
  const std::vector<Finding> found = run.run("copy", {1}, {32}, in, out, 0);
  REQUIRE(kinds(found) == std::vector{Kind::kReadAfterWrite});
  CHECK(found[0].other.find("written by a copy that has not been waited for") == 0);
}

TEST_CASE("accesses behind the end of shared memory are left out and counted") {
  CheckedRun run(cubin());
  run.kernel().launch().dynamic_shared_bytes = 32 * sizeof(int);
  const Address out = run.kernel().buffer("out", std::vector<int>(32));
  CHECK(run.run("behind_shared", {1}, {32}, out, 0).empty());
  const std::vector<Finding> found = run.run("behind_shared", {1}, {32}, out, 24);
  REQUIRE(kinds(found) == std::vector{Kind::kOutOfBounds});
  CHECK(found[0].times == 24);
  CHECK(run.kernel().content<int>(out, 32) == std::vector<int>(32, 24));
}

TEST_CASE("atomics do not race with one another, a read behind them does until there is a barrier") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(128));
  CHECK(run.run("count", {1}, {128}, out, 1).empty());
  CHECK(run.kernel().content<int>(out, 128) == std::vector<int>(128, 4));
  const std::vector<Finding> found = run.run("count", {1}, {128}, out, 0);
  REQUIRE(!found.empty());
  CHECK((found[0].kind == Kind::kReadAfterWrite || found[0].kind == Kind::kWriteAfterRead));
}

TEST_CASE("named barriers order producers and consumers in both directions") {
  CheckedRun run(cubin());
  const Address out = run.kernel().buffer("out", std::vector<int>(64));
  CHECK(run.run("stages", {1}, {64}, out, 1).empty());
  const std::vector<Finding> found = run.run("stages", {1}, {64}, out, 0);
  CHECK(!found.empty());
}

TEST_CASE("what the TMA writes races until an mbarrier has been waited for, whatever other barriers lie between") {
  CheckedRun run("check_sm90.cubin");
  const Address in = run.kernel().buffer("in", iota(128));
  const Address out = run.kernel().buffer("out", std::vector<int>(128));
  CHECK(run.run("bulk", {1}, {128}, in, out, 1).empty());
  CHECK(run.kernel().content<int>(out, 128) == iota(128));
  const std::vector<Finding> found = run.run("bulk", {1}, {128}, in, out, 0);
  REQUIRE(kinds(found) == std::vector{Kind::kReadAfterWrite});
  CHECK(found[0].times == 128);
  CHECK(found[0].other.find("by the TMA") != std::string::npos);
}

}  // namespace
}  // namespace gpusim::exec::checker_test
