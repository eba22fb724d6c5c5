// SPDX-License-Identifier: MIT
// Chakra execution traces (.et) of one rank: nodes that need each other, as a stream of protocol buffers, each with its
// length before it, packed by gzip or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::chakra {

/// The numbers of the schema.
enum class NodeType : std::int32_t {
  kInvalid = 0,
  kMetadata = 1,
  kLoad = 2,
  kStore = 3,
  kCompute = 4,
  kSend = 5,
  kReceive = 6,
  kCollective = 7
};
/// Ditto, of attribute comm_type.
enum class CommType : std::int64_t {
  kAllReduce = 0,
  kReduce = 1,
  kAllGather = 2,
  kGather = 3,
  kScatter = 4,
  kBroadcast = 5,
  kAllToAll = 6,
  kReduceScatter = 7,
  kReduceScatterBlock = 8,
  kBarrier = 9
};

/// Times are nanoseconds: the format's microseconds, or our own attributes gpusim_start_ns and gpusim_duration_ns.
struct Node {
  std::uint64_t id = 0;
  std::string name;
  NodeType type = NodeType::kInvalid;
  std::vector<std::uint64_t> needs;  ///< nodes that end before it begins: data and control dependences
  double begin = 0;
  double ns = 0;
  bool is_on_cpu = false;
  double flops = 0;                    ///< num_ops
  double bytes = 0;                    ///< tensor_size
  std::optional<std::int64_t> stream;  ///< stream of a GPU
  std::int64_t thread = 0;             ///< tid
  std::optional<std::int64_t> comm;    ///< comm_type, a CommType
  std::uint64_t comm_bytes = 0;        ///< comm_size
  std::string group;                   ///< pg_name, the process group of a collective; empty: all ranks
  double alone_ns = 0;                 ///< our gpusim_alone_ns: a kernel's time without others beside it; 0: not known
  std::uint64_t ctas = 0;              ///< our gpusim_ctas; 0: not known
  std::uint64_t ctas_per_sm = 0;       ///< our gpusim_ctas_per_sm; ditto
  std::string arch;                    ///< our gpusim_arch: the GPU on which a kernel took that long; empty: not known
  bool is_own = false;                 ///< has our gpusim_start_ns: then threads leave no gaps but waits
  std::int64_t from = 0;               ///< comm_src, a rank
  std::int64_t to = 0;                 ///< comm_dst, a rank
};

/// Reads a file. Throws InputError for what is not such a trace, is cut off, is too large, or names two nodes alike.
[[nodiscard]] std::vector<Node> read_trace(const std::filesystem::path& file);
/// The same for the bytes of a file that is not packed; `name` stands for it in messages.
[[nodiscard]] std::vector<Node> parse_trace(std::string_view bytes, const std::string& name);

/// The bytes of a file. Control dependences are written as data ones.
[[nodiscard]] std::string write_trace(const std::vector<Node>& nodes);

}  // namespace gpusim::chakra
