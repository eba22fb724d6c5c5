// SPDX-License-Identifier: MIT
// `gpusim lab` as students and teachers meet it, with the lab on coalescing.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/refused.h"

namespace lab_test {

using namespace gpusim;
using app::Workshop;
using Catch::Matchers::Contains;

namespace {

/// A folder `work` with the solution of mary, which passes.
class Solved {
 public:
  Solved() { REQUIRE(shop.run("lab solution coalescing work --student mary").code == 0); }
  [[nodiscard]] std::string text(const std::string& file) const { return app::content_of(shop.folder() / file); }
  /// Replaces a word of a file, which has it.
  void change(const std::string& file, const std::string& word, const std::string& other) const {
    std::string all = text(file);
    const std::size_t at = all.find(word);
    REQUIRE(at != std::string::npos);
    shop.write(file, all.replace(at, word.size(), other));
  }
  /// What a check says, which fails in the way that `code` says and never with a fault.
  [[nodiscard]] std::string refused(int code) const {
    const Workshop::Said said = shop.run("lab check work --wait 600");
    CHECK(said.code == code);
    CHECK_THAT(said.out + said.err, !Contains("fault"));
    return said.out + said.err;
  }
  Workshop shop;
};

/// The most that `command` held, in kilobytes, of itself and of each of its processes.
long most_memory(const Workshop& shop, const std::string& arguments) {
  const std::string script = "import resource, subprocess; subprocess.run(['" + std::string(GPUSIM_PROGRAM) + "'] + '" +
                             arguments +
                             "'.split(), stdout=subprocess.DEVNULL); "
                             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
  return std::stol(shop.shell("python3 -c \"" + script + "\" >out 2>err").out);
}

/// Whether CUDA can be compiled here; says so where it cannot.
bool has_nvcc(const Workshop& shop) {
  const bool is_there = shop.shell("PATH=$PATH:/usr/local/cuda/bin nvcc --version >out 2>err").code == 0;
  if (!is_there) {
    WARN("there is no nvcc here: CUDA is not tried");
  }
  return is_there;
}

}  // namespace

TEST_CASE("lab start writes a folder with the student's values, and a check of it says what to do first") {
  const Workshop shop;
  const auto started = shop.run("lab start coalescing --student mary");
  CHECK(started.code == 0);
  CHECK_THAT(started.out, Contains("coalescing/README.md"));
  const std::string handout = app::content_of(shop.folder() / "coalescing/README.md");
  CHECK_THAT(handout, Contains("fields = 6") && !Contains("{{"));
  const auto checked = shop.run("lab check coalescing");
  CHECK(checked.code == 5);
  CHECK_THAT(checked.out, Contains("waiting  predict-sectors") && Contains("0 of 9 points"));
}

TEST_CASE("lab start overwrites nothing, and --again keeps what it replaces") {
  const Workshop shop;
  REQUIRE(shop.run("lab start coalescing here --student mary").code == 0);
  shop.write("here/kernel.trace", "mine");
  CHECK(shop.run("lab start coalescing here --student mary").code == 0);
  CHECK(app::content_of(shop.folder() / "here/kernel.trace") == "mine");
  check_refused(shop, {"lab start coalescing here --student john", "has the lab 'coalescing' of 'mary' already", 2});
  CHECK(shop.run("lab start coalescing here --again kernel.trace").code == 0);
  CHECK(app::content_of(shop.folder() / "here/kernel.trace.old") == "mine");
  CHECK_THAT(app::content_of(shop.folder() / "here/kernel.trace"), Contains("kernel move"));
  check_refused(shop, {"lab start coalescing here --again kernle.trace", "did you mean 'kernel.trace'?"});
}

TEST_CASE("--again keeps all that it replaces, however often it is asked, and nothing that is as at the start") {
  const Workshop shop;
  REQUIRE(shop.run("lab start coalescing here --student mary").code == 0);
  CHECK(shop.run("lab start coalescing here --again kernel.trace").code == 0);
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "here/kernel.trace.old"));
  for (const std::string mine : {"first", "second"}) {
    shop.write("here/kernel.trace", mine);
    REQUIRE(shop.run("lab start coalescing here --again kernel.trace").code == 0);
  }
  CHECK(app::content_of(shop.folder() / "here/kernel.trace.old") == "first");
  CHECK(app::content_of(shop.folder() / "here/kernel.trace.old2") == "second");
  CHECK_THAT(app::content_of(shop.folder() / "here/kernel.trace"), Contains("kernel move"));
  std::filesystem::remove(shop.folder() / "here/kernel.trace");
  CHECK_THAT(shop.run("lab start coalescing here --again kernel.trace").err, !Contains(".old"));
}

TEST_CASE("--again leaves the file alone when it cannot be kept") {
  const Workshop shop;
  REQUIRE(shop.run("lab start coalescing here --student mary").code == 0);
  std::filesystem::remove(shop.folder() / "here/kernel.trace");
  std::filesystem::create_directory(shop.folder() / "here/kernel.trace");
  shop.write("here/kernel.trace/mine", "mine");
  check_refused(shop, {"lab start coalescing here --again kernel.trace", "cannot be kept as kernel.trace.old", 2});
  CHECK(app::content_of(shop.folder() / "here/kernel.trace/mine") == "mine");
}

TEST_CASE("lab list has each lab behind those that it needs, the first one for beginners first") {
  const Workshop shop;
  const std::string list = shop.run("lab list").out;
  const auto place = [&list](const std::string& lab) { return list.find("  " + lab + " "); };
  CHECK(place("thread-hierarchy") < place("coalescing"));
  CHECK(place("coalescing") < place("bank-conflicts"));
  CHECK(place("bank-conflicts") < place("tiling"));
  CHECK(place("tiling") < place("flashattention"));
  CHECK(place("flashattention") != std::string::npos);
}

TEST_CASE("a handout is shown with an example's numbers where nobody knows the student") {
  const Workshop shop;
  const Workshop::Said said = shop.run("lab show coalescing", "env -u USER -u LOGNAME");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("# ") && !Contains("{{"));
  CHECK_THAT(said.err, Contains("the numbers are an example's") && Contains("--student NAME shows yours"));
  CHECK(shop.run("lab show coalescing --student mary").err.empty());
  const Workshop::Said start = shop.run("lab start coalescing", "env -u USER -u LOGNAME");
  CHECK(start.code == 1);
  CHECK_THAT(start.err, Contains("add --student NAME"));
}

TEST_CASE("lab list, show and solution print, and an exam has no solutions") {
  const Workshop shop;
  CHECK_THAT(shop.run("lab list").out, Contains("coalescing"));
  CHECK_THAT(shop.run("lab show coalescing --student mary").out, Contains("## Predict") && Contains("fields = 6"));
  CHECK_THAT(shop.run("lab solution coalescing --student mary").out, Contains("1*n + i") && Contains("used-share: "));
  const auto exam = shop.run("lab solution coalescing --student mary", "GPUSIM_LAB_EXAM=1");
  CHECK(exam.code == 1);
  CHECK_THAT(exam.err, Contains("solutions are off"));
  check_refused(shop, {"lab show coalescign", "did you mean 'coalescing'?", 2});
  check_refused(shop, {"lab show", "needs the name of a lab"});
}

TEST_CASE("the discussion comes into the folder with the first check that passes, with its pictures, and not before") {
  const Solved solved;
  const auto is_there = [&solved](const std::string& file) {
    return std::filesystem::exists(solved.shop.folder() / "work" / file);
  };
  CHECK_THAT(solved.text("work/README.md"), !Contains("## Discussion") && Contains("`DISCUSSION.md`"));
  const std::string answers = solved.text("work/answers.yaml");
  solved.shop.write("work/answers.yaml", "predict-sectors: 4\n");
  CHECK(solved.shop.run("lab check work --wait 600").code == 5);
  CHECK_FALSE(is_there("DISCUSSION.md"));
  CHECK_FALSE(is_there("pictures/page.png"));
  solved.shop.write("work/answers.yaml", answers);
  CHECK_THAT(solved.shop.run("lab check work --wait 600").out, Contains("DISCUSSION.md says what happened"));
  CHECK_THAT(solved.text("work/DISCUSSION.md"),
             Contains("# Coalescing\n\n## Discussion") && Contains("## Sources") && !Contains("{{"));
  CHECK(is_there("pictures/page.png"));
  CHECK_THAT(solved.shop.run("lab check work --wait 600").out, !Contains("DISCUSSION.md"));
}

TEST_CASE("a check that passes in an exam writes no discussion") {
  const Solved solved;
  const auto passed = solved.shop.run("lab check work --wait 600", "GPUSIM_LAB_EXAM=1");
  CHECK(passed.code == 0);
  CHECK_THAT(passed.out, Contains("9 of 9 points: passed") && !Contains("DISCUSSION.md"));
  CHECK_FALSE(std::filesystem::exists(solved.shop.folder() / "work/DISCUSSION.md"));
}

TEST_CASE("a check writes nothing where a link of the folder leads") {
  const Solved solved;
  const std::filesystem::path folder = solved.shop.folder();
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "work/pictures");
  const auto checked = solved.shop.run("lab check work --wait 600");
  CHECK(checked.code == 0);
  CHECK_THAT(checked.err, Contains("work/pictures: is a link, and is left alone"));
  CHECK(std::filesystem::is_empty(folder / "elsewhere"));
}

TEST_CASE("programs read of work that nobody began or that another student has, and do not take it for passed") {
  const Solved of;
  REQUIRE(of.shop.run("lab start coalescing new --student john").code == 0);
  CHECK(of.shop.run("lab check new --wait 600 --junit new.xml").code == 5);
  CHECK_THAT(of.text("new.xml"), Contains("tests=\"9\" failures=\"9\" errors=\"0\" skipped=\"0\""));
  of.change("work/student.yaml", "mary", "john");
  const auto refused = of.shop.run("lab check work --json --junit other.xml");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("this work belongs to another student"));
  CHECK_THAT(nlohmann::json::parse(refused.out).at("problems").at(0).get<std::string>(),
             Contains("this work belongs to another student"));
  CHECK_THAT(of.text("other.xml"), Contains("errors=\"1\"") && Contains("this work belongs to another student"));
}

TEST_CASE("lab show has the discussion on request, and never in an exam") {
  const Workshop shop;
  CHECK_THAT(shop.run("lab show coalescing --student mary").out, !Contains("## Discussion"));
  CHECK_THAT(shop.run("lab show coalescing --student mary --discussion").out,
             Contains("## Predict") && Contains("## Discussion"));
  const auto exam = shop.run("lab show coalescing --student mary --discussion", "GPUSIM_LAB_EXAM=1");
  CHECK(exam.code == 1);
  CHECK_THAT(exam.err, Contains("discussions are off"));
}

TEST_CASE("all links of what a student gets lead to the web or to a file that is there") {
  const Workshop shop;
  const std::filesystem::path labs = GPUSIM_SOURCE_DIR "/docs/labs";
  std::size_t tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(labs)) {
    const std::filesystem::path& folder = entry.path();
    if (!std::filesystem::exists(folder / "lab.yaml")) {
      continue;
    }
    ++tried;
    const std::string lab = folder.filename();
    REQUIRE(shop.run("lab start " + lab + " " + lab + " --student mary").code == 0);
    for (const std::string& file : {shop.run("lab show " + lab + " --student mary --discussion").out,
                                    app::content_of(shop.folder() / lab / "README.md")}) {
      for (std::size_t at = file.find("]("); at != std::string::npos; at = file.find("](", at + 1)) {
        const std::string link = file.substr(at + 2, file.find(')', at) - at - 2);
        const bool is_file =
            std::filesystem::exists(shop.folder() / lab / link) || std::filesystem::exists(folder / link);
        INFO(lab << ": " << link);
        CHECK((link.starts_with("https://") || (is_file && !link.starts_with("../"))));
      }
    }
  }
  CHECK(tried > 10);
}

TEST_CASE("a typical wrong solution is written and printed by its name, in the language that it is in") {
  const Workshop shop;
  REQUIRE(shop.run("lab solution coalescing work --student mary --wrong both-loads").code == 0);
  CHECK_THAT(shop.run("lab check work --wait 600").out,
             Contains("not yet") && Contains("used-share") && Contains("8 of 9 points"));
  CHECK_THAT(shop.run("lab solution coalescing --student mary --wrong one-load").out,
             Contains("particles[i*fields + 1]"));
  check_refused(shop, {"lab solution coalescing new --student mary --wrong one-laod",
                       "'coalescing' has no wrong solution 'one-laod' (did you mean 'one-load'?)"});
  check_refused(shop, {"lab solution design-a-gpu new --student mix26 --wrong all-in-sms",
                       "'all-in-sms' is not wrong with the parameters of 'mix26'"});
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "new"));
  check_refused(shop, {"lab solution coalescing --wrong cuda-one-load --cuda", "--cuda does not go with --wrong"});
}

TEST_CASE("in a student's folder, and by its name, a lab has the student's values, and is not begun once more") {
  const Workshop shop;
  REQUIRE(shop.run("lab start coalescing work --student mary").code == 0);
  const std::string program = GPUSIM_PROGRAM;
  CHECK_THAT(shop.shell("cd work && '" + program + "' lab show coalescing >../out 2>../err").out,
             Contains("fields = 6"));
  CHECK_THAT(shop.run("lab show work").out, Contains("fields = 6"));
  const auto again = shop.shell("cd work && '" + program + "' lab start coalescing --cuda >../out 2>../err");
  CHECK_THAT(again.out, Contains("for 'mary', in .: wrote kernel.cu, kernel.yaml") && !Contains("cd "));
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "work/coalescing"));
}

TEST_CASE("a lab of GPUSIM_PATH wins over one of the program with the same name") {
  const Workshop shop;
  REQUIRE(shop.shell("mkdir own && cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing' own && "
                     "sed -i 's/^title: .*/title: Mine/' own/coalescing/text.yaml")
              .code == 0);
  CHECK_THAT(shop.run("lab list", "GPUSIM_PATH=own").out, Contains("Mine") && !Contains("Coalescing"));
}

TEST_CASE("a command that is used wrongly names the help of that command") {
  const Workshop shop;
  check_refused(shop, {"lab start", "; see gpusim help lab start"});
  check_refused(shop, {"lab grade . --cvs", "; see gpusim help lab grade"});
  check_refused(shop, {"lab check --wait", "--wait needs a value; see gpusim help lab check"});
  check_refused(shop, {"--no-such-option", "; see gpusim --help"});
}

TEST_CASE("lab show writes the handout as a page with the student's values") {
  const Workshop shop;
  const auto shown = shop.run("lab show coalescing --student mary --page out.html");
  CHECK(shown.code == 0);
  CHECK(shown.out.empty());
  CHECK_THAT(app::content_of(shop.folder() / "out.html"),
             Contains("<title>Coalescing - gpusim lab</title>") && Contains("for mary") && Contains("fields = 6"));
  check_refused(shop, {"lab show coalescing --student mary --page no/such/folder.html", "cannot write", 2});
}

TEST_CASE("lab serve prints where it is, and ends with Ctrl-C") {
  const Workshop shop;
  const auto served =
      shop.shell("'" + std::string(GPUSIM_PROGRAM) +
                 "' lab serve work --student mary >out 2>err & pid=$!; "
                 "until grep -q http out || ! kill -0 $pid; do sleep 0.02; done; kill -INT $pid; wait $pid");
  CHECK(served.code == 0);
  CHECK_THAT(served.out, Contains(shop.folder().string() + "/work") &&
                             Catch::Matchers::Matches("[^]*http://127\\.0\\.0\\.1:[0-9]+/[0-9a-f]{64}/\n[^]*"));
  CHECK_THAT(served.err, Contains("all work is saved"));
  check_refused(shop, {"lab serve work --port 65536", "--port"});
  check_refused(shop, {"lab serve /dev/null", "is not a folder", 2});
}

TEST_CASE("a solution passes, and says so to programs as well") {
  const Solved of;
  const auto text = of.shop.run("lab check work --wait 600");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("9 of 9 points: passed"));
  const auto json = of.shop.run("lab check work --wait 600 --json --junit out.xml");
  CHECK(nlohmann::json::parse(json.out).at("passed") == true);
  CHECK_THAT(of.text("out.xml"), Contains("tests=\"9\" failures=\"0\" errors=\"0\" skipped=\"0\""));
}

TEST_CASE("hints become plainer from check to check, as the folder remembers") {
  const Solved of;
  const auto answer = [&of](const std::string& number) {
    of.shop.write("work/answers.yaml", "predict-sectors: 4\nused-share: " + number + "\n");
    return nlohmann::json::parse(of.shop.run("lab check work --wait 600 --json").out).at("tasks").at(1).at("hint_key");
  };
  CHECK(answer("71") == "1");
  CHECK(answer("71") == "1");
  CHECK(answer("72") == "2");
}

TEST_CASE("a loop without an end is ended") {
  const Solved of;
  of.change("work/kernel.trace", "  EXIT", "  loop t = 0..1000000000000\n    FADD R1, R1, R1\n  end\n  EXIT");
  CHECK_THAT(of.refused(5),
             Contains("work/kernel.trace did not end within the 6 s of processor time that all runs of a check have "
                      "together. Does every loop end?"));
}

TEST_CASE("a billion CTAs are ended, and cost no memory", "[.slow]") {
  const Solved of;
  of.change("work/kernel.trace", "(n/256)", "(1000000000)");
  of.change("work/kernel.trace", "@ out[i]", "@ out[i%n]");
  of.change("work/kernel.trace", "[0*n + i]", "[0*n + i%n]");
  of.change("work/kernel.trace", "[1*n + i]", "[1*n + i%n]");
  CHECK_THAT(of.refused(5), Contains("It launches 1,000,000,000 CTAs: does the grid follow from the parameters?"));
  CHECK(most_memory(of.shop, "lab check work") < 500'000);
}

TEST_CASE("a file with the same mistake in every line names the first, and counts the others") {
  const Solved of;
  std::string wrong = "gpusim trace 1\nkernel move\n  grid (1)\n  block (32)\ncode\n";
  for (int i = 0; i < 1000; ++i) {
    wrong += "  FADD R1, R1, @@\n";
  }
  of.shop.write("work/kernel.trace", wrong + "end\n");
  CHECK_THAT(of.refused(2), Contains("work/kernel.trace:6:") && Contains("999 more lines like this"));
}

TEST_CASE("files that are missing, renamed kernels and other languages are named") {
  const Solved of;
  const std::string right = of.text("work/kernel.trace");
  of.change("work/kernel.trace", "kernel move", "kernel mvoe");
  CHECK_THAT(of.refused(2), Contains("has no kernel 'move', which the check looks for (it has 'mvoe')"));
  of.shop.write("work/kernel.trace", "__global__ void move() {}\n");
  CHECK_THAT(of.refused(2), Contains("work/kernel.trace:1:1: "));
  of.shop.write("work/kernel.trace", "");
  CHECK_THAT(of.refused(2), Contains("work/kernel.trace: is empty"));
  std::filesystem::remove(of.shop.folder() / "work/kernel.trace");
  CHECK_THAT(of.refused(2), Contains("--again kernel.trace"));
  of.shop.write("work/kernel.trace", right);
  std::filesystem::remove(of.shop.folder() / "work/answers.yaml");
  CHECK_THAT(of.refused(2), Contains("--again answers.yaml"));
}

TEST_CASE("somebody else's work and answers are refused") {
  const Solved of;
  REQUIRE(of.shop.run("lab solution coalescing other --student john").code == 0);
  const std::string mine = of.text("work/student.yaml");
  of.shop.write("work/answers.yaml", of.text("other/answers.yaml"));
  CHECK_THAT(of.refused(2), Contains("these answers belong to another student"));
  of.shop.write("work/student.yaml", of.text("other/student.yaml"));
  of.change("work/student.yaml", "john", "mary");
  CHECK_THAT(of.refused(2), Contains("this work belongs to another student"));
}

TEST_CASE("answers that are not YAML are refused with their place") {
  const Solved of;
  of.shop.write("work/answers.yaml", "used-share: [1,\n");
  CHECK_THAT(of.refused(2), Contains("work/answers.yaml:") && Contains("is not YAML"));
  of.shop.write("work/answers.yaml", "used-shaer: 1\n");
  CHECK_THAT(of.refused(2), Contains("work/answers.yaml:1:1: no question is called 'used-shaer'"));
  check_refused(of.shop, {"lab check nowhere", "is not a folder of a lab", 2});
}

TEST_CASE("a folder of submissions is graded in one table, with a reason for each that is broken") {
  const Solved of;
  REQUIRE(of.shop.run("lab start coalescing class/a --student ann").code == 0);
  REQUIRE(of.shop.run("lab solution coalescing class/b --student bob").code == 0);
  REQUIRE(of.shop.run("lab solution coalescing class/c --student cat").code == 0);
  REQUIRE(of.shop.run("lab solution coalescing class/d --student bob").code == 0);
  std::filesystem::create_directories(of.shop.folder() / "class/e, \"no\" lab");
  const auto graded = of.shop.run("lab grade class --csv");
  CHECK(graded.code == 0);
  CHECK_THAT(graded.out, Contains("folder,student,lab,seed,points,of_points,passed,predict-sectors,") &&
                             Contains("\r\na,ann,coalescing,") && Contains(",0,9,no,waiting,") &&
                             Contains(",9,9,yes,right,") && Contains("same files as b\r\n") &&
                             Contains("same student as b\r\n") && Contains("\r\n\"e, \"\"no\"\" lab\",,,") &&
                             Contains("is missing"));
  CHECK_THAT(of.shop.run("lab grade class").out, Contains("3 of 5 submissions passed"));
  check_refused(of.shop, {"lab grade work", "has no folders to grade", 2});
}

TEST_CASE("a folder in place of a file, and a file that nobody wrote by hand, are refused at once") {
  const Solved of;
  std::filesystem::resize_file(of.shop.folder() / "work/kernel.trace", 5ULL << 30U);
  CHECK_THAT(of.refused(2), Contains("work/kernel.trace: is larger than 4 MiB"));
  std::filesystem::remove(of.shop.folder() / "work/kernel.trace");
  std::filesystem::create_directory(of.shop.folder() / "work/kernel.trace");
  CHECK_THAT(of.refused(2),
             Contains("work/kernel.trace is not a file. Move it away, then gpusim lab start coalescing"));
}

TEST_CASE("a link to the solution is not the work of a student, in a check and in grades") {
  const Solved of;
  REQUIRE(of.shop
              .shell("mkdir class && cp -r work class/a && cp -r work class/b && cd class/b && "
                     "ln -sf '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing/solution/kernel.trace' kernel.trace")
              .code == 0);
  const std::string what = "kernel.trace is a link: put the file itself there";
  CHECK_THAT(of.shop.run("lab check class/b --wait 600").out, Contains(what) && !Contains("passed"));
  CHECK_THAT(of.shop.run("lab grade class --csv").out, Contains("9,9,yes") && Contains(",no,") && Contains(what));
}

TEST_CASE("a grading that is killed has printed all rows that were done") {
  const Solved of;
  REQUIRE(of.shop.run("lab solution coalescing class/a --student ann").code == 0);
  std::filesystem::rename(of.shop.folder() / "work", of.shop.folder() / "class/b");
  of.change("class/b/kernel.trace", "  EXIT", "  loop t = 0..1000000000000\n    FADD R1, R1, R1\n  end\n  EXIT");
  const auto killed = of.shop.shell("'" GPUSIM_PROGRAM
                                    "' lab grade class --csv >out 2>err & pid=$!; "
                                    "until grep -q '^a,' out || ! kill -0 $pid; do sleep 0.02; done; "
                                    "kill -KILL $pid; wait $pid");
  CHECK_THAT(killed.out,
             Contains("folder,student,lab,") && Contains("\r\na,ann,coalescing,") && Catch::Matchers::EndsWith("\r\n"));
}

TEST_CASE("a submission that nobody has unpacked has a row that says so") {
  const Solved of;
  std::filesystem::create_directories(of.shop.folder() / "class");
  std::filesystem::rename(of.shop.folder() / "work", of.shop.folder() / "class/mary");
  of.shop.write("class/john.zip", "PK");
  of.shop.write("class/notes.txt", "about the class");
  CHECK_THAT(of.shop.run("lab grade class --csv").out,
             Contains("\r\njohn.zip,,") &&
                 Contains("is a file, not the folder of a lab (unpack it, if it is an archive)") &&
                 !Contains("notes.txt"));
  check_refused(of.shop, {"lab check class/john.zip", "is a file, not the folder of a lab", 2});
}

TEST_CASE("a machine is compared with the lab's own, also where its base was changed or lost") {
  const Workshop shop;
  REQUIRE(shop.run("lab solution design-a-gpu work --student mary").code == 0);
  const auto checked = [&shop] {
    const Workshop::Said said = shop.run("lab check work --wait 600");
    return said.out + said.err;
  };
  CHECK_THAT(checked(), Contains("10 of 10 points: passed"));
  const std::string base = app::content_of(shop.folder() / "work/base.yaml");
  shop.write("work/base.yaml", base + "launch:\n  completion_latency: 30 cycles\n");
  CHECK_THAT(checked(), Contains("launch.completion_latency is 30 cycles, that of base.yaml 31 cycles.") &&
                            Contains("First get 'area' right."));
  std::filesystem::remove(shop.folder() / "work/base.yaml");
  CHECK_THAT(checked(), Contains("--again base.yaml writes it once more"));
}

TEST_CASE("folders with the start alone are not said to be equal, also where it has the student's numbers") {
  const Workshop shop;
  for (const char* const name : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}) {
    REQUIRE(shop.run(std::string("lab start design-a-gpu class/") + name + " --student s" + name).code == 0);
  }
  CHECK_THAT(shop.run("lab grade class --csv").out, !Contains("same files"));
}

TEST_CASE("equal CUDA is said to be equal, whatever stands in the traces beside it") {
  const Workshop shop;
  for (const std::string name : {"ann", "bob", "cat"}) {
    REQUIRE(shop.run("lab start coalescing class/" + name + " --student " + name + " --cuda").code == 0);
    shop.write("class/" + name + "/kernel.cu",
               "__global__ void move() {}  // " + std::string(name == "cat" ? "" : "x"));
  }
  std::filesystem::remove(shop.folder() / "class/bob/kernel.trace");
  const std::string graded = shop.run("lab grade class --csv").out;
  CHECK_THAT(graded, Contains("same files as ann"));
  CHECK(graded.find("same files") == graded.rfind("same files"));
}

TEST_CASE("a launch file that was changed is another try, and the next hint") {
  const Workshop shop;
  REQUIRE(shop.run("lab start coalescing work --student mary --cuda").code == 0);
  const std::string launch = app::content_of(shop.folder() / "work/kernel.yaml");
  const auto digests = [&](const std::string& text) {
    shop.write("work/kernel.yaml", text);
    (void)shop.run("lab check work --wait 600");
    const auto tries = nlohmann::json::parse(app::content_of(shop.folder() / "work/.gpusim-lab.json")).at("tries");
    return tries.contains("fast") ? tries.at("fast").size() : 0;
  };
  shop.write("work/answers.yaml", "predict-sectors: 4\n");
  if (!has_nvcc(shop)) {
    return;
  }
  CHECK(digests(launch) == 1);
  CHECK(digests(launch) == 1);
  CHECK(digests(launch + "# changed\n") == 2);
}

TEST_CASE("a submission cannot bring a lab of its own") {
  const Workshop shop;
  REQUIRE(shop.shell("cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing' easy").code == 0);
  const auto started = shop.run("lab start ./easy work --student mary");
  CHECK(started.code == 0);
  CHECK_THAT(started.err, Contains("GPUSIM_PATH"));
  check_refused(shop, {"lab check work", "easy: no such lab", 2});
  CHECK(shop.run("lab check work --wait 600", "GPUSIM_PATH=\"$PWD\"").code == 5);
}

TEST_CASE("a translation is a lab's sentences and handout in another language, from start to check") {
  const Workshop shop;
  REQUIRE(shop.shell("cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing' mine && cd mine && "
                     "sed 's/^title: .*/title: Koaleszenz/; s/question: >-/&\\n      FRAGE/; "
                     "s/How many bytes lie in/HINWEIS/' text.yaml > text.de.yaml && "
                     "sed 's/^# .*/# Koaleszenz/' handout.md > handout.de.md")
              .code == 0);
  const auto said = [&shop](const std::string& arguments) {
    return shop.run("lab " + arguments, "GPUSIM_PATH=\"$PWD\"").out;
  };
  CHECK_THAT(said("start mine work --student mary --language de"), Contains("Koaleszenz for 'mary'"));
  CHECK_THAT(app::content_of(shop.folder() / "work/README.md"), Contains("# Koaleszenz") && !Contains("{{"));
  CHECK_THAT(app::content_of(shop.folder() / "work/answers.yaml"), Contains("'Koaleszenz'") && Contains("# FRAGE"));
  CHECK_THAT(said("show mine --student mary --language de"), Contains("# Koaleszenz"));
  CHECK_THAT(said("solution mine --student mary --language de"), Contains("# FRAGE"));
  shop.write("work/answers.yaml", "predict-sectors: 4\nused-share: 70\n");
  CHECK_THAT(said("check work --wait 600"), Contains("HINWEIS"));
  CHECK(said("start mine work --again answers.yaml").empty());
  CHECK_THAT(app::content_of(shop.folder() / "work/answers.yaml"), Contains("# FRAGE"));
  check_refused(shop, {"lab start ./mine other --student mary --language dk", "did you mean 'de'?", 2});
  check_refused(shop, {"lab start ./mine other --student mary --language ../de", "no translation '../de'", 2});
  check_refused(shop, {"lab start coalescing other --student mary --language de", "in English alone", 2});
}

TEST_CASE("a translation that lacks a sentence or a section is not fit for students", "[.slow]") {
  const Workshop shop;
  REQUIRE(shop.shell("cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/stalls' mine && cd mine && cp text.yaml text.de.yaml && "
                     "sed 's/^## Goals/Ziele/' handout.md > handout.de.md")
              .code == 0);
  const auto said = shop.run("lab check --lint mine");
  CHECK(said.code == 5);
  CHECK_THAT(said.err, Contains("de: handout.de.md has 6 sections, handout.md has 7"));
  shop.write("mine/text.de.yaml", "title: Warten\nsummary: Warten\ntasks: {}\n");
  CHECK_THAT(shop.run("lab check --lint mine").err, Contains("text.de.yaml: has no sentences of the task"));
}

TEST_CASE("a lab whose answers can be passed on is not fit for students", "[.slow]") {
  const Workshop shop;
  REQUIRE(
      shop.shell(
              "cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing' mine && cd mine && "
              "sed -i 's/  n: {choose: .*/  n: {choose: [131072]}/; s/  fields: {choose: .*/  fields: {choose: [6]}/' "
              "lab.yaml")
          .code == 0);
  const auto said = shop.run("lab check --lint mine");
  CHECK(said.code == 5);
  CHECK_THAT(said.err, Catch::Matchers::Matches("[^]*of 90 solutions of another student [3-9][0-9] pass, such as: "
                                                "ada's passes as [a-z]*'s\\. Draw more[^]*"));
}

TEST_CASE("a lab that is not fit for students is said to be so", "[.slow]") {
  const Workshop shop;
  REQUIRE(shop.shell("cp -r '" GPUSIM_SOURCE_DIR "/docs/labs/coalescing' mine && rm -r mine/wrong/one-load "
                     "mine/wrong/same-field mine/wrong/whole-lines mine/wrong/both-loads mine/wrong/integers "
                     "mine/wrong/cuda-* && "
                     "cp mine/start/kernel.trace mine/wrong/half-the-grid && sed -i 's/^## Goals/## Aims/' "
                     "mine/handout.md && echo 'when: fields > 100' >> mine/wrong/stride-is-slow/expect.yaml && "
                     "echo '[more](more.md)' >> mine/handout.md && sed -i '/Find the factor/d' mine/text.yaml && "
                     "sed -i 's/^  reference: .*/&\\n  other: {trace: kernel.trace, arch: t4}/; "
                     "s/holds: student.time_us <=/holds: other.time_us > 0 and student.time_us <=/' mine/lab.yaml")
              .code == 0);
  const auto said = shop.run("lab check --lint mine");
  CHECK(said.code == 5);
  CHECK_THAT(
      said.err,
      Contains("lacks the section '## Goals'") && Contains("has 4 wrong solutions, not 5") &&
          Contains("wrong/half-the-grid, for the student 'ada': 'same-work' is not yet with the hint 'not-read'") &&
          Contains("wrong/stride-is-slow is wrong for none of ada, grace, alan") &&
          Contains("handout.md has a link to 'more.md', which leads nowhere") &&
          Contains("the task 'coalesced' has 1 general hint, not 2") &&
          Contains("the task 'fast' measures the run 'other', whose work no task compares"));
  shop.write("mine/lab.yaml", "schema: gpusim.lab/1\ntaks: {}\n");
  check_refused(shop, {"lab check --lint mine", "did you mean 'tasks'?", 2});
}

TEST_CASE("lab start --cuda writes kernels in CUDA beside the traces, with the student's numbers") {
  const Workshop shop;
  CHECK_THAT(shop.run("lab start coalescing work --student mary").out, !Contains("kernel.cu"));
  CHECK_THAT(shop.run("lab start coalescing work --cuda").out, Contains("wrote kernel.cu, kernel.yaml"));
  CHECK_THAT(app::content_of(shop.folder() / "work/kernel.yaml"), Contains("fields: 6}") && !Contains("{{"));
  CHECK_THAT(app::content_of(shop.folder() / "work/kernel.cu"), Contains("__global__ void move("));
  CHECK_THAT(shop.run("lab solution coalescing --student mary --cuda").out, Contains("## kernel.cu"));
  check_refused(shop, {"lab start design-a-gpu --student mary --cuda",
                       "the lab 'design-a-gpu' has no kernel to be written in CUDA (these have: "});
}

TEST_CASE("CUDA that names another file is refused, and nothing of that file is told") {
  const Solved of;
  of.shop.write("secret", "4711\n");
  of.shop.write("work/kernel.cu", "#include \"../secret\"\n");
  const std::string said = of.refused(2);
  CHECK_THAT(said, !Contains("4711"));
  if (has_nvcc(of.shop)) {
    CHECK_THAT(said, Contains("work/kernel.cu:1: '#include \"../secret\"' is not accepted in a lab"));
  }
}

TEST_CASE("a link to CUDA of the solution is not the work of a student") {
  const Solved of;
  std::filesystem::create_symlink(GPUSIM_SOURCE_DIR "/docs/labs/coalescing/solution/kernel.cu",
                                  of.shop.folder() / "work/kernel.cu");
  CHECK_THAT(of.refused(2), Contains("work/kernel.cu is a link: put the file itself there"));
}

TEST_CASE("CUDA is compiled, executed and checked in place of the trace, by what it calculates", "[.slow]") {
  const Workshop shop;
  if (!has_nvcc(shop)) {
    return;
  }
  REQUIRE(shop.run("lab solution coalescing work --student mary --cuda").code == 0);
  std::filesystem::remove(shop.folder() / "work/kernel.trace");
  const auto passed = shop.run("lab check work --wait 600");
  CHECK(passed.code == 0);
  CHECK_THAT(passed.out, Contains("kernel.cu is checked in place of kernel.trace"));
  const std::string right = app::content_of(shop.folder() / "work/kernel.cu");
  const auto checked = [&](const std::string& word, const std::string& other) {
    std::string text = right;
    shop.write("work/kernel.cu", text.replace(text.find(word), word.size(), other));
    const Workshop::Said said = shop.run("lab check work --wait 600");
    return std::to_string(said.code) + said.out + said.err;
  };
  CHECK_THAT(checked("dt * velocity;", "velocity;"), Contains("'out' holds other values than it should"));
  shop.write("work/kernel.cu",
             "__global__ void move(const float* particles, float* out, int n, int fields, float dt) {\n"
             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  if (blockIdx.x > 0 && ((volatile float*)out)[i - 256] == 0) return;  // runs beside the one before\n"
             "  if (i < n) out[i] = particles[i] + dt * particles[n + i];\n}\n");
  CHECK_THAT(shop.run("lab check work --wait 600").out,
             Contains("not yet  same-work") && Contains("After the run that is measured 'out' holds"));
  CHECK_THAT(checked("velocity;", "velocity"), Contains("2Coalescing") && Contains("error: expected a \";\"") &&
                                                   Contains("work/kernel.cu: nvcc failed") && Contains("kernel.cu:"));
  CHECK_THAT(checked("void move", "void mvoe"), Contains("did you mean 'mvoe'?"));
  CHECK_THAT(checked("    out[i]", "    out[i + n]"), Contains("2Coal") && Contains("out of bounds"));
  CHECK_THAT(checked("    out[i] =", "    while (n) {\n    }\n    out[i] ="), Contains("5Coal"));
}

}  // namespace lab_test
