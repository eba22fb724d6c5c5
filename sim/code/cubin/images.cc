// SPDX-License-Identifier: MIT
#include "sim/code/cubin/images.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "sim/code/cubin/elf.h"
#include "sim/code/cubin/fatbin.h"
#include "sim/code/cubin/listed.h"
#include "sim/code/kind/kind.h"
#include "sim/input/kind/kind.h"

namespace gpusim::cubin {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{4} << 30U;
constexpr std::size_t kMostFiles = 100'000;
constexpr int kDeepestFolder = 8;

using TakeImage = std::function<void(Image image)>;

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) {
    fail(path.string(), "cannot be read");
  }
  if (bytes > kMostFileBytes) {
    fail(path.string(), "has " + std::to_string(bytes >> 30U) + " GiB", "at most 4 GiB are read");
  }
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Those of fatbins for this SM.
void take_members(const Bytes& fatbins, unsigned sm, const TakeImage& take, Found& found) {
  const std::vector<Member> members = read_fatbins(fatbins);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (member.is_ptx) {
      found.ptx.push_back(member.sm);
    } else if (sm != 0 && member.sm != sm) {
      found.other.push_back(member.sm);
    } else {
      Image image;
      image.name = fatbins.file() + ", member " + std::to_string(i + 1) + " (sm_" + std::to_string(member.sm) + ")";
      image.bytes = member.unpack(image.name);
      ++found.images;
      take(std::move(image));
    }
  }
}

void take_program(const Bytes& file, const Elf& elf, unsigned sm, const TakeImage& take, Found& found) {
  for (const Section& section : elf.sections) {
    if (section.name == ".nv_fatbin" || section.name == "__nv_relfatbin") {
      take_members(Bytes(section.bytes, file.file()), sm, take, found);
    }
  }
}

/// "sm_80, sm_90"
std::string sms_text(std::vector<unsigned> sms) {
  std::sort(sms.begin(), sms.end());
  sms.erase(std::unique(sms.begin(), sms.end()), sms.end());
  std::string text;
  for (const unsigned sm : sms) {
    text += (text.empty() ? "sm_" : ", sm_") + std::to_string(sm);
  }
  return text;
}

[[noreturn]] void fail_without_kernels(const std::string& name, unsigned sm, const Found& found) {
  const std::string wanted = sm == 0 ? "" : " for sm_" + std::to_string(sm);
  if (!found.other.empty()) {
    fail(name, "has no kernels" + wanted, "it has machine code for " + sms_text(found.other));
  }
  if (!found.ptx.empty()) {
    fail(name, "has no machine code" + wanted + ", only PTX",
         "compile it for the GPU: nvcc -cubin -arch=sm_90, or ptxas -arch=sm_90");
  }
  fail(name, "has no kernels" + wanted, "expected a cubin, a fatbin, or a program with kernels in it");
}

/// The SM of a part of a listing whose instructions do not have 128 bits, as before Volta; 0 for any other part.
unsigned sm_before_volta(std::string_view part) {
  constexpr std::string_view kMark = "code for sm_";
  constexpr unsigned kVolta = 70;
  const std::size_t at = part.find(kMark);
  unsigned sm = 0;
  if (at != part.npos) {
    std::from_chars(part.data() + at + kMark.size(), part.data() + part.size(), sm);
  }
  return sm < kVolta ? sm : 0;
}

/// The cubins that a listing was made from.
void take_listing(std::string_view text, const std::string& name, unsigned sm, const TakeImage& take, Found& found) {
  if (text.size() > kMostListingBytes) {
    fail(name, "has " + std::to_string(text.size() >> 20U) + " MiB",
         "of a listing at most " + std::to_string(kMostListingBytes >> 20U) +
             " MiB are read: list fewer functions, as with cuobjdump -fun NAME");
  }
  for_each_listed(text, [&](std::string_view part, std::uint32_t line) {
    if (const unsigned older = sm_before_volta(part); older != 0) {
      found.other.push_back(older);
      return;
    }
    const std::string shown = line == 1 ? name : name + ", from line " + std::to_string(line);
    Image image{shown, std::string(part), std::nullopt, line};
    if (const unsigned its = sm == 0 ? 0 : read_image(image).sm; its != sm) {
      found.other.push_back(its);
    } else {
      ++found.images;
      take(std::move(image));
    }
  });
}

/// The cubins below a folder by name, with what Triton wrote beside them.
std::vector<std::filesystem::path> cubins_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  auto entry = std::filesystem::recursive_directory_iterator(
      folder, std::filesystem::directory_options::skip_permission_denied, error);
  for (std::size_t files = 0; !error && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    if (entry.depth() >= kDeepestFolder) {
      entry.disable_recursion_pending();
    }
    if (++files > kMostFiles) {
      fail(folder.string(), "has more than " + std::to_string(kMostFiles) + " files", "name the folder of one kernel");
    }
    if (entry->path().extension() == ".cubin" && entry->is_regular_file(error)) {
      paths.push_back(entry->path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What Triton wrote beside a cubin of its cache.
std::optional<TritonLaunch> triton_beside(std::filesystem::path cubin) {
  const std::filesystem::path json = cubin.replace_extension(".json");
  std::error_code error;
  return std::filesystem::is_regular_file(json, error) ? std::optional(read_triton(read_file(json), json.string()))
                                                       : std::nullopt;
}

Found take_folder(const std::filesystem::path& folder, unsigned sm, const TakeImage& take) {
  Found found;
  for (const std::filesystem::path& path : cubins_below(folder)) {
    const std::string bytes = read_file(path);
    if (const unsigned its = sm == 0 ? 0 : read_cubin(bytes, path.string()).sm; its != sm) {
      found.other.push_back(its);
      continue;
    }
    ++found.images;
    take({path.string(), bytes, triton_beside(path), 0});
  }
  if (found.images == 0) {
    if (!found.other.empty()) {
      fail_without_kernels(folder.string(), sm, found);
    }
    fail(folder.string(), "has no cubins",
         "expected a folder of Triton's cache (~/.triton/cache), or of torch.compile's");
  }
  return found;
}

}  // namespace

std::string place_in(const std::filesystem::path& folder, const std::string& file) {
  constexpr std::size_t kShown = 8;
  const std::filesystem::path inside = std::filesystem::path(file).lexically_relative(folder);
  if (inside.empty() || inside == "." || *inside.begin() == "..") {
    return file;
  }
  const std::string first = inside.begin()->string();
  const bool is_long = first.size() > 2 * kShown && std::next(inside.begin()) != inside.end();
  return is_long ? first.substr(0, kShown) + "*" : inside.string();
}

Module read_image(const Image& image) {
  return image.first_line != 0 ? read_listed(image.bytes, image.name, image.first_line)
                               : read_cubin(image.bytes, image.name);
}

Found for_each_image_in(std::string_view bytes, const std::string& name, unsigned sm, const TakeImage& take) {
  const Bytes file(bytes, name);
  Found found;
  if (bytes.starts_with(code::kFatbinMagic)) {
    take_members(file, sm, take, found);
  } else if (is_listing_text(bytes.substr(0, frontend::kEnoughForTexts))) {
    take_listing(bytes, name, sm, take, found);
  } else if (bytes.starts_with("!<arch>\n")) {
    fail(name, "is an archive of object files", "take the program it is linked into, or unpack it: ar x " + name);
  } else {
    const Elf elf = read_elf(file);
    if (elf.machine != kMachineCuda) {
      take_program(file, elf, sm, take, found);
    } else if (const unsigned its = sm == 0 ? 0 : read_cubin(bytes, name).sm; its != sm) {
      found.other.push_back(its);
    } else {
      ++found.images;
      take({name, std::string(bytes), std::nullopt, 0});
    }
  }
  if (found.images == 0) {
    fail_without_kernels(name, sm, found);
  }
  return found;
}

Found for_each_image(const std::filesystem::path& path, unsigned sm, const TakeImage& take) {
  if (std::filesystem::is_directory(path)) {
    return take_folder(path, sm, take);
  }
  const std::string bytes = read_file(path);
  return for_each_image_in(bytes, path.string(), sm, [&](Image image) {
    if (path.extension() == ".cubin") {
      image.triton = triton_beside(path);
    }
    take(std::move(image));
  });
}

}  // namespace gpusim::cubin
