// SPDX-License-Identifier: MIT
// Where kernels come from: cubins, fatbins, programs and libraries with fatbins in them, the caches of Triton and of
// torch.compile, listings of SASS with encodings.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// What the JSON beside a cubin of Triton's says.
struct TritonLaunch {
  std::string kernel;              ///< the symbol
  std::uint32_t warps = 0;         ///< warps of a CTA
  std::uint32_t shared_bytes = 0;  ///< dynamic
  Dim3 cluster;
  /// Bytes a CTA of each memory to work in, pointers to which stand behind the parameters of the source.
  std::vector<std::uint32_t> scratch;
};

/// A cubin, or the listing of one, before it is read.
struct Image {
  std::string name;  ///< name of the file, and of the member where it has several: "app, member 2 (sm_90)"
  std::string bytes;
  std::optional<TritonLaunch> triton;
  std::uint32_t first_line = 0;  ///< number of the first line of a listing in its file; 0 for a cubin
};

/// The kernels of an image. Throws InputError for one that is damaged.
[[nodiscard]] Module read_image(const Image& image);

/// What was found.
struct Found {
  std::size_t images = 0;       ///< handed on
  std::vector<unsigned> other;  ///< SMs of machine code that was not asked for
  std::vector<unsigned> ptx;    ///< SMs of PTX texts
};

/// Hands on the cubins that a file or folder has, one after another in the order of the file, or of the names in a
/// folder, with what Triton wrote beside each; `sm`: only for this one, where it is not 0. Throws InputError when there
/// is no such file, when it has no kernels, or when it is damaged.
Found for_each_image(const std::filesystem::path& path, unsigned sm, const std::function<void(Image image)>& take);

/// The same of bytes in memory, which are not a folder; `name` stands for them in messages.
Found for_each_image_in(std::string_view bytes, const std::string& name, unsigned sm,
                        const std::function<void(Image image)>& take);

/// A file without the folder that it is in; if it has a folder of its own there with a long name, only how that begins:
/// "2RKS4JNH*".
[[nodiscard]] std::string place_in(const std::filesystem::path& folder, const std::string& file);

/// What the text of a NAME.json of Triton's says. Throws InputError when it is none.
[[nodiscard]] TritonLaunch read_triton(const std::string& text, const std::string& name);

}  // namespace gpusim::cubin
