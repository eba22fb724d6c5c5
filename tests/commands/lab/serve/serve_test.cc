// SPDX-License-Identifier: MIT
// What a page can do, and everything that others could try.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include "sim/base/output_file.h"
#include "sim/code/compile/compile.h"
#include "sim/commands/lab/course/file_text.h"

#include "tests/commands/lab/serve/served.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using lab_test::Response;
using lab_test::Served;
namespace fs = std::filesystem;

namespace {

/// All files below a folder, with their texts.
std::string everything_in(const fs::path& folder) {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    all.push_back(entry.path().string() + (entry.is_regular_file() ? "\n" + lab::text_of(entry.path()) : ""));
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& each : all) {
    text += each + "\n";
  }
  return text;
}

/// Waits until the server has a process beside it.
void wait_for_work(const Served& served) {
  const std::string pid = std::to_string(served.pid());
  std::string children;
  while (children.empty()) {
    std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> children;
  }
}

const std::string kEndless = "  loop t = 0..1000000000000\n    FADD R1, R1, R1\n  end\n  EXIT";

}  // namespace

TEST_CASE("the first page lists the labs, and each has a page with the handout and the student's values") {
  const Served served;
  const Response labs = served.get("/");
  CHECK(labs.status == 200);
  CHECK_THAT(labs.body, Contains("\"name\":\"coalescing\"") && Contains("\"begun\":false"));
  CHECK_THAT(labs.head, Contains("frame-ancestors 'none'") && Contains("Cache-Control: no-store") &&
                            Contains("X-Content-Type-Options: nosniff") && Contains("Referrer-Policy: no-referrer"));
  const Response lab = served.get("/labs/coalescing/");
  CHECK_THAT(lab.body, Contains("<h2>Predict</h2>") && Contains("fields = 6") && Contains("\"student\":\"mary\"") &&
                           Contains("default-src 'none'") && !Contains("@GPUSIM_"));
  CHECK(served.get("/labs/coalescign/").status == 404);
  CHECK(served.get("/labs/coalescing").status == 404);
  CHECK(served.get("/labs/coalescing/solution").status == 404);
}

TEST_CASE("work begins, is saved, checked and run, and a reload has it") {
  const Served served;
  served.begin();
  const nlohmann::json answers = served.file("answers.yaml");
  const std::string text = "predict-sectors: 4\nused-share: 1\n";
  const Response saved =
      served.post("/labs/coalescing/save", {{"file", "answers.yaml"}, {"version", answers["version"]}, {"text", text}});
  REQUIRE(saved.status == 200);
  CHECK(lab::text_of(served.work() / "answers.yaml") == text);
  CHECK(served.file("answers.yaml")["text"] == text);
  CHECK(served.file("answers.yaml")["version"] == saved.json()["version"]);

  const Response checked = served.post("/labs/coalescing/check");
  REQUIRE(checked.status == 200);
  CHECK(checked.json()["tasks"][0]["standing"] == "right");
  CHECK(checked.json()["tasks"][1]["hint_key"] == "1");

  const Response ran = served.post("/labs/coalescing/run", Served::kernel_run());
  INFO(ran.body);
  REQUIRE(ran.status == 200);
  const Response report = served.get("/" + ran.json()["report"].get<std::string>());
  CHECK_THAT(report.body, Contains("gpusim-data") && !Contains(served.folder().string()));
  CHECK_THAT(report.head, Contains("text/html") && Contains("frame-ancestors 'self'"));
}

TEST_CASE("hints become plainer from check to check, as on the command line") {
  const Served served;
  served.begin();
  const auto hint_of = [&served](const std::string& answer) {
    OutputFile(served.work() / "answers.yaml").commit("predict-sectors: 4\nused-share: " + answer + "\n");
    return served.post("/labs/coalescing/check").json()["tasks"][1]["hint_key"];
  };
  CHECK(hint_of("71") == "1");
  CHECK(hint_of("72") == "2");
}

TEST_CASE("without the token nothing is answered") {
  const Served served;
  const std::string wrong(served.token().size(), '0');
  for (const std::string& target :
       std::vector<std::string>{std::string("/"), "/" + wrong + "/", "/" + served.token().substr(1) + "/",
                                "/labs/coalescing/", "/" + served.token() + "0/", std::string("//"),
                                "/x/" + served.token() + "/", "/?" + served.token(), std::string("/favicon.ico")}) {
    INFO(target);
    const Response got = served.raw(served.head("GET", target, served.host()));
    CHECK(got.status == 403);
    CHECK_THAT(got.problem(), Contains("token"));
    CHECK_THAT(got.head + got.body, !Contains(served.token()));
  }
  const std::string body = "{}";
  CHECK(
      served
          .raw(served.head("POST", "/" + wrong + "/labs/coalescing/begin", served.host() + served.from_page(2)) + body)
          .status == 403);
  CHECK(everything_in(served.folder()).empty());
}

TEST_CASE("another host is refused, also with the token: a name elsewhere could lead here") {
  const Served served;
  const std::string port = std::to_string(served.port());
  for (const std::string& host : std::vector<std::string>{
           std::string("Host: example.com:") + port + "\r\n", std::string("Host: example.com\r\n"),
           std::string("Host: 127.0.0.1\r\n"), std::string("Host: 127.0.0.1:1\r\n"), std::string(),
           "Host: 127.0.0.1:" + port + ".example.com\r\n", "Host: localhost.example.com:" + port + "\r\n"}) {
    INFO(host);
    CHECK(served.raw(served.head("GET", "/" + served.token() + "/", host)).status == 403);
  }
  CHECK(served.raw(served.head("GET", "/" + served.token() + "/", "Host: localhost:" + port + "\r\n")).status == 200);
}

TEST_CASE("a page of another origin changes nothing, and neither does a form") {
  const Served served;
  const std::string target = "/" + served.token() + "/labs/coalescing/begin";
  const std::string json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
  const std::string port = std::to_string(served.port());
  for (const std::string& origin : std::vector<std::string>{
           std::string("Origin: http://example.com\r\n"), std::string("Origin: null\r\n"), std::string(),
           "Origin: http://127.0.0.1:" + port + ".example.com\r\n", "Origin: https://127.0.0.1:" + port + "\r\n",
           std::string("Origin: http://127.0.0.1:1\r\n")}) {
    INFO(origin);
    CHECK(served.raw(served.head("POST", target, served.host() + origin + json) + "{}").status == 403);
  }
  for (const std::string type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    const std::string form =
        "Origin: http://127.0.0.1:" + port + "\r\nContent-Type: " + type + "\r\nContent-Length: 2\r\n";
    CHECK(served.raw(served.head("POST", target, served.host() + form) + "{}").status == 415);
  }
  for (const std::string method : {"PUT", "DELETE", "OPTIONS", "PATCH"}) {
    CHECK(served.raw(served.head(method, target, served.host() + served.from_page(2)) + "{}").status == 405);
  }
  CHECK(everything_in(served.folder()).empty());
}

TEST_CASE("paths lead nowhere, in addresses and in names of files") {
  const Served served;
  served.begin();
  const std::string before = everything_in(served.folder());
  for (const std::string& place : std::vector<std::string>{
           std::string("/labs/../"), std::string("/labs/..%2f..%2fetc/"), std::string("/labs/coalescing/../../x"),
           std::string("/labs/coalescing/%2e%2e/state"), std::string("/reports/../labs"), std::string("/reports/1"),
           std::string("/labs//"), std::string("/labs/./state"), std::string("/labs/coalescing/kernel.trace")}) {
    INFO(place);
    CHECK(served.get(place).status == 404);
  }
  OutputFile(served.folder() / "outside").commit("mine");
  const std::string outside = (served.folder() / "outside").string();
  for (const std::string& name : std::vector<std::string>{
           std::string("../outside"), outside, std::string("student.yaml"), std::string("README.md"),
           std::string(".gpusim-lab.json"), std::string(), std::string("./kernel.trace"),
           std::string("kernel.trace/../student.yaml"), std::string("kernel.trace\0x", 14), std::string("new.trace")}) {
    INFO(name);
    CHECK(served.post("/labs/coalescing/save", {{"file", name}, {"version", ""}, {"text", "x"}}).status == 400);
    CHECK(served.post("/labs/coalescing/again", {{"file", name}}).status == 400);
    nlohmann::json run = Served::kernel_run();
    run["trace"] = name;
    CHECK(served.post("/labs/coalescing/run", run).status == 400);
    run = Served::kernel_run();
    run["arch"] = name;
    CHECK(served.post("/labs/coalescing/run", run).status == 400);
  }
  fs::remove(served.folder() / "outside");
  CHECK(everything_in(served.folder()) == before);
}

TEST_CASE("links in a student's folder are refused, so that nothing is read or written elsewhere") {
  const Served served;
  served.begin();
  OutputFile(served.folder() / "secret").commit("secret words");
  fs::remove(served.work() / "kernel.trace");
  fs::create_symlink(served.folder() / "secret", served.work() / "kernel.trace");
  const nlohmann::json save{{"file", "kernel.trace"}, {"version", ""}, {"text", "x"}};
  for (const Response& got :
       {served.get("/labs/coalescing/state"), served.post("/labs/coalescing/save", save),
        served.post("/labs/coalescing/check"), served.post("/labs/coalescing/again", {{"file", "kernel.trace"}}),
        served.post("/labs/coalescing/run", Served::kernel_run())}) {
    CHECK(got.status == 400);
    CHECK_THAT(got.problem(), Contains("kernel.trace: is a link or no file") && !Contains("secret words"));
  }
  CHECK(lab::text_of(served.folder() / "secret") == "secret words");

  fs::create_directory(served.folder() / "elsewhere");
  fs::create_directory_symlink(served.folder() / "elsewhere", served.folder() / "stalls");
  CHECK_THAT(served.post("/labs/stalls/begin").problem(), Contains("is a link or no folder"));
  CHECK(fs::is_empty(served.folder() / "elsewhere"));
}

TEST_CASE("what is too large is refused, and the file stays as it was") {
  const Served served;
  served.begin();
  const std::string before = everything_in(served.folder());
  const std::string target = "/" + served.token() + "/labs/coalescing/save";
  const std::size_t huge = 64U << 20U;
  CHECK(served.raw(served.head("POST", target, served.host() + served.from_page(huge)) + std::string(3U << 20U, ' '))
            .status == 413);
  const std::string version = served.file("kernel.trace")["version"];
  const Response large =
      served.post("/labs/coalescing/save",
                  {{"file", "kernel.trace"}, {"version", version}, {"text", std::string((1U << 20U) + 1, 'x')}});
  CHECK(large.status == 400);
  CHECK_THAT(large.problem(), Contains("larger than 1 MiB"));
  CHECK(served.raw(served.head("GET", "/" + std::string(20'000, 'x'), served.host())).status == 431);
  CHECK(everything_in(served.folder()) == before);
  CHECK(served.raw("nonsense\r\n\r\n").status == 400);
  CHECK(served.raw(std::string(100'000, '\0')).status == 400);
  CHECK(served.get("/").status == 200);
}

TEST_CASE("what another program wrote meanwhile is not lost") {
  const Served served;
  served.begin();
  const std::string version = served.file("kernel.trace")["version"];
  OutputFile(served.work() / "kernel.trace").commit("theirs");
  const nlohmann::json mine{{"file", "kernel.trace"}, {"version", version}, {"text", "mine"}};
  const Response got = served.post("/labs/coalescing/save", mine);
  CHECK(got.status == 412);
  CHECK(got.json()["text"] == "theirs");
  CHECK(lab::text_of(served.work() / "kernel.trace") == "theirs");
  CHECK(served.post("/labs/coalescing/again", {{"file", "kernel.trace"}}).status == 200);
  CHECK(lab::text_of(served.work() / "kernel.trace.old") == "theirs");
}

TEST_CASE("a loop without an end and a billion CTAs are ended, and the server goes on") {
  const Served served;
  served.begin();
  served.change_kernel("  EXIT", kEndless);
  const Response endless = served.post("/labs/coalescing/run", Served::kernel_run());
  CHECK(endless.status == 400);
  CHECK_THAT(endless.problem(), Contains("kernel.trace did not end within the 6 s of processor time that all runs") &&
                                    Contains("Does every loop end?"));
  REQUIRE(served.post("/labs/coalescing/again", {{"file", "kernel.trace"}}).status == 200);
  served.change_kernel("(n/256)", "(1000000000)");
  served.change_kernel("@ out[i]", "@ out[i%n]");
  served.change_kernel("[i*fields + 0]", "[0]");
  served.change_kernel("[i*fields + 1]", "[1]");
  const Response many = served.post("/labs/coalescing/run", Served::kernel_run());
  CHECK(many.status == 400);
  CHECK_THAT(many.problem(), Contains("1,000,000,000 CTAs"));
  CHECK(served.get("/").status == 200);
}

TEST_CASE("a run that takes longer than a student waits is ended") {
  const Served served(0.5);
  served.begin();
  served.change_kernel("  EXIT", kEndless);
  const Response ended = served.post("/labs/coalescing/run", Served::kernel_run());
  CHECK(ended.status == 400);
  CHECK_THAT(ended.problem(), Contains("kernel.trace did not end within the 0.5 s that a check has") &&
                                  Contains("If so, try again when this machine has less to do."));
}

TEST_CASE("one run at a time: others are told so, and pages are still answered") {
  const Served served;
  served.begin();
  served.change_kernel("  EXIT", kEndless);
  auto first = std::async(std::launch::async,
                          [&served] { return served.post("/labs/coalescing/run", Served::kernel_run()).status; });
  wait_for_work(served);
  const Response second = served.post("/labs/coalescing/check");
  CHECK(second.status == 409);
  CHECK_THAT(second.problem(), Contains("Another run is under way"));
  CHECK(served.get("/labs/coalescing/state").status == 200);
  CHECK(first.get() == 400);
}

TEST_CASE("it listens on 127.0.0.1 and on nothing else") {
  const Served served;
  std::ostringstream port;
  port << std::uppercase << std::hex << std::setw(4) << std::setfill('0') << served.port();
  std::vector<std::string> listening;
  for (const char* const table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream in(table);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string number;
      std::string local;
      std::string remote;
      std::string state;
      words >> number >> local >> remote >> state;
      if (local.ends_with(":" + port.str()) && state == "0A") {
        listening.push_back(local);
      }
    }
  }
  CHECK(listening == std::vector<std::string>{"0100007F:" + port.str()});
}

TEST_CASE("solutions are not to be had, in an exam or without one") {
  ::setenv("GPUSIM_LAB_EXAM", GENERATE("0", "1"), 1);
  const Served served;
  served.begin();
  const nlohmann::json state = served.get("/labs/coalescing/state").json();
  CHECK_THAT(state.dump(), !Contains("solution/") && !Contains("\"reference\"") && !Contains("\"before\""));
  for (const char* const trace : {"solution/kernel.trace", "reference"}) {
    nlohmann::json run = Served::kernel_run();
    run["trace"] = trace;
    CHECK(served.post("/labs/coalescing/run", run).status == 400);
  }
  ::unsetenv("GPUSIM_LAB_EXAM");
}

TEST_CASE("a page of a lab has the discussion when the folder has it, and in an exam never") {
  const bool is_exam = GENERATE(false, true);
  ::setenv("GPUSIM_LAB_EXAM", is_exam ? "1" : "0", 1);
  const Served served;
  served.begin();
  std::ofstream(served.work() / "DISCUSSION.md") << "mine";
  const Response page = served.get("/labs/coalescing/");
  ::unsetenv("GPUSIM_LAB_EXAM");
  CHECK(page.status == 200);
  CHECK((page.body.find(">Discussion<") == std::string::npos) == is_exam);
}

TEST_CASE("runs whose settings answer a question are not shown") {
  const Served served;
  const Response begun = served.post("/labs/design-a-gpu/begin");
  REQUIRE(begun.status == 200);
  const nlohmann::json state = begun.json();
  REQUIRE(state["runs"].size() == 1);
  CHECK(state["runs"][0]["name"] == "student");
  CHECK(state["runs"][0]["arch"] == "machine.yaml");
}

TEST_CASE("settings of a run are bounded, and what is wrong with them is said") {
  const Served served;
  served.begin();
  const auto problem_with = [&served](const char* key, const nlohmann::json& value) {
    nlohmann::json run = Served::kernel_run();
    run[key] = value;
    const Response got = served.post("/labs/coalescing/run", run);
    CHECK(got.status == 400);
    return got.problem();
  };
  CHECK_THAT(problem_with("params", std::vector<std::string>(33, "n=1")), Contains("at most 32"));
  CHECK_THAT(problem_with("params", {std::string(201, 'x')}), Contains("200 bytes"));
  CHECK_THAT(problem_with("params", {"m=1"}), Contains("'m'"));
  CHECK_THAT(problem_with("set", {"sm.cuont=1"}), Contains("sm.count"));
  CHECK_THAT(problem_with("cache", "hot"), Contains("cache"));
  CHECK_THAT(problem_with("arch", "t5"), Contains("t4"));
  CHECK_THAT(problem_with("end", 1'000'000), Contains("20,000"));
  CHECK_THAT(problem_with("params", "n=1"), Contains("is not a list"));
}

TEST_CASE("the server ends in the middle of a run when it is told to, and takes the run with it") {
  const Served served;
  served.begin();
  served.change_kernel("  EXIT", kEndless);
  auto run = std::async(std::launch::async,
                        [&served] { return served.post("/labs/coalescing/run", Served::kernel_run()).status; });
  wait_for_work(served);
  ::kill(served.pid(), SIGTERM);
  int status = -1;
  REQUIRE(::waitpid(served.pid(), &status, 0) == served.pid());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(run.get() == 0);  // the connection ended with it: nobody else holds it
}

TEST_CASE("CUDA is there when it is asked for, and then it is run and checked with the lab's launch") {
  const Served served;
  served.begin();
  const auto traces = [&served] { return served.get("/labs/coalescing/state").json().at("traces").dump(); };
  CHECK_THAT(std::string(served.file("kernel.cu")["problem"]),
             Contains("'Begin anew' writes it. kernel.cu is CUDA, checked in place of kernel.trace"));
  CHECK_THAT(traces(), !Contains("kernel.cu"));
  for (const char* const file : {"kernel.cu", "kernel.yaml"}) {
    REQUIRE(served.post("/labs/coalescing/again", {{"file", file}}).status == 200);
  }
  CHECK(served.file("kernel.cu")["problem"] == "");
  CHECK_THAT(traces(), Contains("kernel.cu"));
  CHECK(served.get("/labs/coalescing/state").json().at("runs").at(0).at("trace") == "kernel.cu");

  const nlohmann::json yaml = served.file("kernel.yaml");
  const std::string escape = "grid: 1\nout: {out: ../../escaped.npy}\nargs: {particles: ../../secret.npy}\n";
  REQUIRE(
      served.post("/labs/coalescing/save", {{"file", "kernel.yaml"}, {"version", yaml["version"]}, {"text", escape}})
          .status == 200);
  nlohmann::json run = Served::kernel_run();
  run["trace"] = "kernel.cu";
  const Response ran = served.post("/labs/coalescing/run", run);
  CHECK_FALSE(fs::exists(served.folder().parent_path() / "escaped.npy"));
  CHECK_THAT(ran.body, !Contains("escaped") && !Contains("secret"));
  if (compile::can_compile(compile::Places::of_machine())) {
    INFO(ran.body);
    CHECK(ran.status == 200);
    CHECK(served.get("/" + std::string(ran.json()["report"])).status == 200);
  } else {
    WARN("there is no nvcc here: CUDA is not run");
    CHECK_THAT(ran.problem(), Contains("nvidia-cuda-nvcc"));
  }
}

TEST_CASE("CUDA of a page can neither read another file of the machine nor leave its own") {
  const Served served;
  served.begin();
  REQUIRE(served.post("/labs/coalescing/again", {{"file", "kernel.cu"}}).status == 200);
  const std::string text = "#include \"/etc/passwd\"\n";
  REQUIRE(served
              .post("/labs/coalescing/save",
                    {{"file", "kernel.cu"}, {"version", served.file("kernel.cu")["version"]}, {"text", text}})
              .status == 200);
  nlohmann::json run = Served::kernel_run();
  run["trace"] = "kernel.cu";
  const Response ran = served.post("/labs/coalescing/run", run);
  CHECK(ran.status == 400);
  CHECK_THAT(ran.problem(), !Contains("root:"));
  fs::remove(served.work() / "kernel.cu");
  fs::create_symlink("/etc/passwd", served.work() / "kernel.cu");
  CHECK_THAT(served.post("/labs/coalescing/run", run).problem(), Contains("kernel.cu: is a link"));
  CHECK_THAT(served.get("/labs/coalescing/state").body, !Contains("root:"));
}
