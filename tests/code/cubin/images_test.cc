// SPDX-License-Identifier: MIT
#include "sim/code/cubin/images.h"

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/code/cubin/select.h"
#include "sim/code/cubin/usage.h"

#include "tests/code/cubin/data.h"

using namespace gpusim;
using namespace gpusim::cubin;
using Catch::Contains;

namespace {

std::vector<Image> images_of(const std::filesystem::path& path, unsigned sm = 0) {
  std::vector<Image> images;
  static_cast<void>(for_each_image(path, sm, [&images](Image image) { images.push_back(std::move(image)); }));
  return images;
}

std::vector<Image> images_in(const std::string& bytes) {
  std::vector<Image> images;
  static_cast<void>(for_each_image_in(bytes, "app", 0, [&images](Image image) { images.push_back(std::move(image)); }));
  return images;
}

/// A folder for one test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gpusim-cubin-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("the members of a fatbin are the cubins that went into it, compressed with zstd, with LZ4 or not at all") {
  const std::string twice = bytes_of("twice_sm75.cubin");
  for (const char* name : {"plain.fatbin", "zstd.fatbin", "lz4.fatbin"}) {
    INFO(name);
    const std::vector<Image> images = images_of(data(name));
    REQUIRE_FALSE(images.empty());
    CHECK(images[0].bytes.substr(0, twice.size()) == twice);
    CHECK_THAT(images[0].name, Contains(name) && Contains("member 1 (sm_75)"));
  }
  const std::vector<Image> both = images_of(data("lz4.fatbin"));
  REQUIRE(both.size() == 2);
  CHECK(read_cubin(both[1].bytes, both[1].name).functions.size() == 3);
  CHECK(images_of(data("lz4.fatbin"), 80).size() == 1);
}

TEST_CASE("a program gives the kernels of all its fatbins, one after another") {
  const std::string plain = bytes_of("plain.fatbin");
  CHECK(images_in(program_with(".nv_fatbin", plain + bytes_of("lz4.fatbin"))).size() == 3);
  CHECK(images_in(program_with("__nv_relfatbin", plain)).size() == 1);
}

TEST_CASE("what has no machine code says what it has, and what to do") {
  CHECK_THAT(error_of([] { (void)images_of(data("ptx.fatbin")); }),
             Contains("has no machine code, only PTX") && Contains("ptxas -arch=sm_90"));
  CHECK_THAT(error_of([] { (void)images_of(data("kernels_sm80.cubin"), 90); }),
             Contains("has no kernels for sm_90") && Contains("it has machine code for sm_80"));
  CHECK_THAT(error_of([] { (void)images_in(program_with(".data", "abc")); }), Contains("has no kernels"));
  CHECK_THAT(error_of([] { (void)images_in("!<arch>\nabc"); }), Contains("archive") && Contains("ar x app"));
  CHECK_THAT(error_of([] { (void)images_in("hello"); }), Contains("is not an ELF file"));
}

TEST_CASE("a fatbin that is cut off or lies about its sizes is refused") {
  for (const char* name : {"zstd.fatbin", "lz4.fatbin", "plain.fatbin"}) {
    const std::string whole = bytes_of(name);
    for (std::size_t size = 4; size < whole.size(); size += 5) {
      INFO(name << " " << size);
      REQUIRE_THAT(error_of([&] { (void)images_in(whole.substr(0, size)); }), Contains("app"));
    }
  }
  std::string lies = bytes_of("zstd.fatbin");
  put(lies, 16 + 56, std::uint64_t{1} << 40U, 8);
  CHECK_THAT(error_of([&] { (void)images_in(lies); }), Contains("says that it has 1099511627776 bytes"));
  std::string broken = bytes_of("lz4.fatbin");
  broken[16 + 64] = '\x7f';
  CHECK_THAT(error_of([&] { (void)images_in(broken); }), Contains("cannot be unpacked"));
}

TEST_CASE("a folder of Triton's cache gives each cubin with what the JSON beside it says of the launch") {
  const Folder folder;
  folder.write("ABCD/twice.cubin", bytes_of("twice_sm75.cubin"));
  folder.write("ABCD/twice.json", R"({"name": "twice", "num_warps": 4, "shared": 2048, "num_ctas": 2,)"
                                  R"( "global_scratch_size": 128, "profile_scratch_size": 0})");
  folder.write("ABCD/__grp__twice.json", R"({"child_paths": {}})");
  folder.write("triton/0/EFGH/k.cubin", bytes_of("kernels_sm80.cubin"));
  const std::vector<Image> images = images_of(folder.path());
  REQUIRE(images.size() == 2);
  REQUIRE(images[0].triton);
  CHECK(images[0].triton->kernel == "twice");
  CHECK(images[0].triton->warps == 4);
  CHECK(images[0].triton->shared_bytes == 2048);
  CHECK(images[0].triton->cluster == Dim3{2, 1, 1});
  CHECK(images[0].triton->scratch == std::vector<std::uint32_t>{128, 0});
  CHECK_FALSE(images[1].triton);
  CHECK(images_of(folder.path(), 80).size() == 1);
  Function function;
  CHECK(launch_text(function, &*images[0].triton) == "128 threads, clusters of 2");

  const std::vector<Image> file = images_of(folder.path() / "ABCD/twice.cubin");
  REQUIRE((file.size() == 1 && file[0].triton));
  CHECK(file[0].triton->warps == 4);

  const Folder empty;
  CHECK_THAT(error_of([&] { (void)images_of(empty.path()); }), Contains("has no cubins"));
  folder.write("ABCD/twice.json", "[1, 2");
  CHECK_THAT(error_of([&] { (void)images_of(folder.path()); }), Contains("is not a JSON object"));
  folder.write("ABCD/twice.json", R"({"num_warps": -1})");
  CHECK_THAT(error_of([&] { (void)images_of(folder.path()); }), Contains("'num_warps' is not a number"));
}

TEST_CASE("a file of a cache is told by the beginning of its folder's name") {
  const std::string key(52, 'A');
  CHECK(place_in("/cache", "/cache/" + key + "/k.cubin") == "AAAAAAAA*");
  CHECK(place_in("/cache", "/cache/triton/k.cubin") == "triton/k.cubin");
  CHECK(place_in("/cache/" + key, "/cache/" + key + "/k.cubin") == "k.cubin");
  CHECK(place_in("k.cubin", "k.cubin") == "k.cubin");
}

TEST_CASE("a kernel is found by its short, its full and its linker's name, and a near miss says which is near") {
  const Module module = module_of("kernels_sm80.cubin");
  const Function& sum = function_of(module, "sum");
  for (const std::string& name : {std::string("sum"), sum.name, demangled(sum.name)}) {
    INFO(name);
    Search search(name);
    CHECK(search.in(module) == std::vector<const Function*>{&sum});
    CHECK_NOTHROW(search.require_found("f"));
  }
  CHECK(Search("").in(module).size() == 3);
  Search near("saxpi");
  CHECK(near.in(module).empty());
  CHECK(error_of([&] { near.require_found("f.cubin"); }) == "f.cubin: has no kernel 'saxpi' (did you mean 'saxpy'?)");
}
