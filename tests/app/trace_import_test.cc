// SPDX-License-Identifier: MIT
// gpusim trace import and export, as a user runs them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/refused.h"
#include "tests/input/listing/listings.h"

namespace trace_import_test {

using namespace gpusim::app;
using Catch::Contains;

namespace {

/// What a run says of a trace, apart from where it was and how long the host took.
nlohmann::json result_of(const Workshop& workshop, const std::string& trace) {
  const Workshop::Said said = workshop.run("--arch a100 --trace " + trace + " --format json");
  INFO(said.err);
  REQUIRE(said.code == 0);
  nlohmann::json result = nlohmann::json::parse(said.out);
  result.erase("host");
  result["trace"].erase("path");
  return result;
}

}  // namespace

TEST_CASE("a trace that was recorded and its import give the same result") {
  const Workshop workshop;
  for (const std::string name : {"saxpy", "divergence", "gemm_bf16"}) {
    INFO(name);
    const std::string list = "raw/" + name + "/kernelslist.g";
    REQUIRE(workshop.run("trace export " + name + " --test-params -o raw/" + name).code == 0);
    const Workshop::Said said = workshop.run("trace import " + list + " -o app.trace");
    REQUIRE(said.code == 0);
    CHECK_THAT(said.out, Contains("app.trace: ") && Contains("times smaller"));
    CHECK(result_of(workshop, "app.trace") == result_of(workshop, list));
    const Workshop::Said dump = workshop.run("trace dump app.trace --cta 1 --warp 1");
    CHECK(dump.code == 0);
    CHECK(dump.out == workshop.run("trace dump " + list + " --cta 1 --warp 1").out);
    CHECK_THAT(workshop.run("trace check app.trace").out, Contains("no problems"));
    CHECK_THAT(workshop.run("trace info app.trace").out, Contains("CTAs of"));
  }
}

TEST_CASE("the NVBit capture of vectoradd is at least 500 times smaller once it is imported") {
  const std::filesystem::path capture =
      std::filesystem::path(GPUSIM_SOURCE_DIR) / ".." / "shared" / "traces" / "nvbit-vectoradd";
  if (!std::filesystem::exists(capture / "kernelslist.g")) {
    WARN("skipped: the NVBit capture is not at " << capture.lexically_normal().string());
    return;
  }
  const Workshop workshop;
  REQUIRE(workshop.run("trace import '" + (capture / "kernelslist.g").string() + "' -o v.trace").code == 0);
  const std::uintmax_t raw = std::filesystem::file_size(capture / "kernel-1.traceg");
  CHECK(std::filesystem::file_size(workshop.folder() / "v.trace") * 500 <= raw);
  CHECK(result_of(workshop, "v.trace") == result_of(workshop, "'" + (capture / "kernelslist.g").string() + "'"));
}

TEST_CASE("an import that fails says where, and leaves no file behind") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  const std::string text = content_of(workshop.folder() / "raw" / "kernel-1.traceg");
  workshop.write("raw/kernel-1.traceg", text.substr(0, text.size() - 100));
  const Workshop::Said said = workshop.run("trace import raw/kernelslist.g -o app.trace");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("kernel-1.traceg") && Contains("cut off"));
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "app.trace"));
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "app.trace.part"));
  CHECK(workshop.run("trace import raw/kernelslist.g -o nowhere/app.trace").code == 2);
  CHECK(workshop.run("trace import raw/kernelslist.g").code == 1);
  const Workshop::Said text_form = workshop.run("trace import saxpy -o app.trace");
  CHECK(text_form.code == 2);
  CHECK_THAT(text_form.err, Contains("is neither a trace of Accel-Sim nor a listing of SASS"));
}

TEST_CASE("an import goes into a pipe as it goes into a file") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o app.trace").code == 0);
  CHECK(workshop.run("trace import raw/kernelslist.g -o /dev/null").code == 0);
  const Workshop::Said said = workshop.shell("mkfifo pipe; cat pipe >piped.trace & '" GPUSIM_PROGRAM
                                             "' trace import raw/kernelslist.g -o pipe >out 2>err; code=$?; wait; "
                                             "exit $code");
  CHECK(said.code == 0);
  CHECK(content_of(workshop.folder() / "piped.trace") == content_of(workshop.folder() / "app.trace"));
}

TEST_CASE("Ctrl-C, SIGTERM and SIGHUP end an import or an export soon, with a code of their own, and leave nothing") {
  const Workshop workshop;
  const std::string program = "'" GPUSIM_PROGRAM "' trace ";
  const auto interrupt = [&](const std::string& signal, int code, const std::string& command,
                             const std::string& temporary) {
    INFO(signal);
    const Workshop::Said said = workshop.shell(program + command + " >out 2>err & pid=$!; until ls " + temporary +
                                               " >/dev/null 2>&1 || ! kill -0 $pid; do sleep 0.02; done; "
                                               "kill -" +
                                               signal + " $pid; wait $pid");
    CHECK(said.code == code);
    CHECK_THAT(said.err, Contains("interrupted: nothing is written"));
  };
  const std::vector<std::pair<std::string, int>> signals{{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
  // More than a minute of either, were it not for the interrupt.
  for (const auto& [signal, code] : signals) {
    interrupt(signal, code, "export sgemm_tiled --param m=4096 --param n=4096 --param k=4096 -o new/raw",
              "new/raw/*.part");
    CHECK_FALSE(std::filesystem::exists(workshop.folder() / "new"));
  }
  REQUIRE(workshop.run("trace export saxpy -o many").code == 0);
  std::string list;
  for (int i = 2; i <= 500; ++i) {
    const std::string name = "kernel-" + std::to_string(i) + ".traceg";
    std::filesystem::create_symlink("kernel-1.traceg", workshop.folder() / "many" / name);
    list += name + '\n';
  }
  workshop.write("many/kernelslist.g", list);
  for (const auto& [signal, code] : signals) {
    interrupt(signal, code, "import many/kernelslist.g -o app.trace", "app.trace.part");
    CHECK_FALSE(std::filesystem::exists(workshop.folder() / "app.trace"));
    CHECK_FALSE(std::filesystem::exists(workshop.folder() / "app.trace.part"));
  }
}

TEST_CASE("a container is imported already, and a pipe cannot be read twice") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o app.trace").code == 0);
  const std::string before = content_of(workshop.folder() / "app.trace");
  check_refused(workshop, {"trace import app.trace -o app2.trace", "app.trace: is imported already", 2});
  check_refused(workshop, {"trace import app.trace -o app.trace", "app.trace: is imported already", 2});
  CHECK(content_of(workshop.folder() / "app.trace") == before);
  REQUIRE(workshop.shell("mkfifo pipe").code == 0);
  for (const char* command : {"trace import pipe -o x.trace", "trace info pipe", "--arch a100 --trace pipe"}) {
    check_refused(workshop, {command, "pipe: is a pipe or device", 2});
  }
  const Workshop::Said said =
      workshop.shell("cat raw/kernel-1.traceg | '" GPUSIM_PROGRAM "' trace info /dev/stdin >out 2>err");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("/dev/stdin: is a pipe or device"));
  CHECK(workshop.run("trace info /dev/stdin <app.trace").code == 0);
}

TEST_CASE("what controls a terminal is not printed, whatever a kernel is called") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  std::string text = content_of(workshop.folder() / "raw" / "kernel-1.traceg");
  const std::string name = "-kernel name = ";
  text.insert(text.find(name) + name.size(), "\x1b]0;title\x07\x1b[2J\x1b[31m");
  workshop.write("raw/kernel-1.traceg", text);
  for (const char* command : {"trace import raw/kernelslist.g -o app.trace", "trace check app.trace",
                              "trace info app.trace", "trace dump app.trace", "trace dump app.trace --warp 1"}) {
    const Workshop::Said said = workshop.run(command);
    CHECK(said.code == 0);
    CHECK_THAT(said.out, Contains("?]0;title??[2J?[31m"));
    CHECK(said.out.find_first_of("\x1b\x07") == std::string::npos);
  }
  workshop.write("raw/kernelslist.g", "MemcpyHtoD,\x1b[31m\n");
  const Workshop::Said wrong = workshop.run("trace import raw/kernelslist.g -o app.trace");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("'?[31m' makes no sense"));
}

TEST_CASE("what goes to standard output is added to what is there") {
  const Workshop workshop;
  const std::string listing = std::string("'") + GPUSIM_SOURCE_DIR + "/tests/fuzz/seeds/sass/cuobjdump.sass'";
  REQUIRE(workshop.run("trace import " + listing + " -o file.trace").code == 0);
  workshop.write("all", "kept\n");
  REQUIRE(workshop.run("trace import " + listing + " -o -", "sh -c '\"$0\" \"$@\" >>all'").code == 0);
  CHECK(content_of(workshop.folder() / "all") == "kept\n" + content_of(workshop.folder() / "file.trace"));
}

TEST_CASE("a file that a list names twice is stored once and launched twice, with the copies between") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o once.trace").code == 0);
  workshop.write("raw/kernelslist.g", "kernel-1.traceg\nMemcpyHtoD,0x7f0000000000,64\nkernel-1.traceg\n");
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o twice.trace").code == 0);
  CHECK(std::filesystem::file_size(workshop.folder() / "twice.trace") <
        std::filesystem::file_size(workshop.folder() / "once.trace") + 50);
  REQUIRE(workshop.run("trace export twice.trace -o again").code == 0);
  CHECK(content_of(workshop.folder() / "again" / "kernelslist.g") ==
        "kernel-1.traceg\nMemcpyHtoD,0x00007f0000000000,64\nkernel-2.traceg\n");
  CHECK(content_of(workshop.folder() / "again" / "kernel-1.traceg") ==
        content_of(workshop.folder() / "raw" / "kernel-1.traceg"));
}

TEST_CASE("a damaged container is refused by every command") {
  const Workshop workshop;
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o app.trace").code == 0);
  std::string bytes = content_of(workshop.folder() / "app.trace");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  workshop.write("bad.trace", bytes);
  for (const char* command : {"trace info bad.trace", "--arch a100 --trace bad.trace"}) {
    const Workshop::Said said = workshop.run(command);
    CHECK(said.code == 2);
    CHECK_THAT(said.err, Contains("bad.trace: is damaged"));
  }
  const Workshop::Said parameter = workshop.run("trace info app.trace --param n=5");
  CHECK(parameter.code == 2);
  CHECK_THAT(parameter.err, Contains("has no parameters"));
}

TEST_CASE("a listing becomes a program whose holes are named until they are filled") {
  const Workshop workshop;
  workshop.write("kernel.sass", gpusim::test::kCuobjdump);
  REQUIRE(workshop.run("trace import kernel.sass -o kernel.trace").code == 0);
  for (const char* command : {"trace check kernel.trace", "--arch a100 --trace kernel.trace"}) {
    const Workshop::Said said = workshop.run(command);
    CHECK(said.code == 2);
    CHECK_THAT(said.err,
               Contains("to be filled in: param trips_L1 = ?") && Contains("to be filled in: buffer arg_160"));
  }
  std::string text = content_of(workshop.folder() / "kernel.trace");
  for (const auto& [hole, value] :
       {std::pair("[?]", "[tid]"), std::pair("arg_160 = ?", "arg_160 f32[64]"),
        std::pair("arg_168 = ?", "arg_168 f32[64]"), std::pair("when ?", "when tid > 60")}) {
    for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at)) {
      text.replace(at, std::string(hole).size(), value);
    }
  }
  workshop.write("kernel.trace", text);
  const Workshop::Said said = workshop.run("trace check kernel.trace -p trips_L1=3 -p ctas_sums=2 -p threads_sums=64");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("no problems; walked 2 of 2 CTAs"));
}

TEST_CASE("compiled code, and a listing that would be written over, are refused") {
  const Workshop workshop;
  workshop.write("kernel.cubin", std::string("\177ELF\2\1\1", 7) + std::string(57, '\0'));
  const Workshop::Said compiled = workshop.run("trace import kernel.cubin -o kernel.trace");
  CHECK(compiled.code == 2);
  CHECK_THAT(compiled.err, Contains("is compiled code") && Contains("kernel.cubin:KERNEL --launch FILE"));
  CHECK_THAT(workshop.run("trace info kernel.cubin").err, Contains("is compiled code"));
  workshop.write("kernel.sass", gpusim::test::kCuobjdump);
  const Workshop::Said same = workshop.run("trace import kernel.sass -o kernel.sass");
  CHECK(same.code == 2);
  CHECK(content_of(workshop.folder() / "kernel.sass") == gpusim::test::kCuobjdump);
}

TEST_CASE("an import says on standard error what of a listing is hardly meant, and is made all the same") {
  const Workshop workshop;
  workshop.write("odd.sass", "code for sm_120\nFunction : f\nIMDA R0, R1, R2, R3 ;\nFFMA R1, R2 ;\nEXIT ;\n");
  const Workshop::Said said = workshop.run("trace import odd.sass -o odd.trace");
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("warning: odd.sass:2:1: 'f' is code for sm_120") &&
                           Contains("warning: odd.sass:2:1: 'f' has no encodings") &&
                           Contains("warning: odd.sass:3:1: 'IMDA' is not a known opcode") &&
                           Contains("warning: odd.sass:4:1: FFMA takes at least 4 operands, and has 2"));
  CHECK_THAT(said.out, Contains("odd.trace: a program with"));
  workshop.write("kernel.sass", gpusim::test::kCuobjdump);
  CHECK(workshop.run("trace import kernel.sass -o kernel.trace").err.empty());
}

TEST_CASE("a listing where a trace is expected is told from nonsense, with the way to a trace") {
  const Workshop workshop;
  workshop.write("kernel.sass", gpusim::test::kCuobjdump);
  for (const char* command : {"trace info kernel.sass", "--arch a100 --trace kernel.sass"}) {
    const Workshop::Said said = workshop.run(command);
    CHECK(said.code == 2);
    CHECK_THAT(said.err, Contains("kernel.sass: is a listing of SASS, not a trace") &&
                             Contains("gpusim trace import kernel.sass -o kernel.trace"));
  }
}

TEST_CASE("the output '-' of an import or of a kernel of the library is standard output") {
  const Workshop workshop;
  workshop.write("kernel.sass", gpusim::test::kCuobjdump);
  REQUIRE(workshop.run("trace import kernel.sass -o kernel.trace").code == 0);
  REQUIRE(workshop.run("trace make copy -o copy.trace").code == 0);
  REQUIRE(workshop.run("trace export saxpy --test-params -o raw").code == 0);
  REQUIRE(workshop.run("trace import raw/kernelslist.g -o raw.trace").code == 0);
  for (const auto& [command, file] :
       {std::pair("import kernel.sass", "kernel.trace"), std::pair("make copy", "copy.trace"),
        std::pair("import raw/kernelslist.g", "raw.trace")}) {
    INFO(command);
    const Workshop::Said said = workshop.run("trace " + std::string(command) + " -o -");
    CHECK(said.code == 0);
    CHECK(said.out == content_of(workshop.folder() / file));
  }
  CHECK_FALSE(std::filesystem::exists(workshop.folder() / "-"));
}

}  // namespace trace_import_test
