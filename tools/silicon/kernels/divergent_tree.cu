// SPDX-License-Identifier: MIT
// Each thread walks a random binary tree from its root to a leaf; which way is decided by a bit of the thread's key and
// one of the node. Left and right are different code (two chains of FFMA), leaves lie at different depths, so warps
// diverge twice: at every node, and in the number of nodes. Keys are random, or sorted so that neighbours go together.
// The host walks the same tree, so the divergence is known: the note says how many nodes a thread visits and how many
// of 32 lanes share an executed side on average.
//
// For a trace: CTAs of 256 threads, one key per thread. A real loop over the nodes, node 0 first, children 2i + 1 and
// 2i + 2: LDG.E.64 of the node (32768 of 8 bytes: L1 holds the upper levels), a branch on the leaf flag out of the
// loop, a branch between the sides, each eight dependent FFMA with one factor and the node's value as the addend.
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kLevels = 15;  // at most: the nodes of the last one are leaves
constexpr std::uint32_t kNodes = (1u << kLevels) - 1;
constexpr std::uint32_t kFirstLeafLevel = 3;
constexpr int kSteps = 8;
constexpr float kLeftFactor = 0.75f;
constexpr float kRightFactor = -0.5f;

struct alignas(8) Node {
  float value;
  std::uint32_t bits;  // bit 0: the way of a key whose bit is 0; bit 1: a leaf
};

constexpr std::uint32_t kWay = 1;
constexpr std::uint32_t kLeaf = 2;

// kSteps times x = factor x + value. In assembly with the factor in its text (kLeftFactor, kRightFactor), so that the
// two sides stay two pieces of code behind a branch: in C++ the compiler selects the factor and keeps one.
template <bool kLeft>
__device__ float chain(float x, float value) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    if constexpr (kLeft) {
      asm volatile("fma.rn.f32 %0, %0, 0f3F400000, %1;" : "+f"(x) : "f"(value));
    } else {
      asm volatile("fma.rn.f32 %0, %0, 0fBF000000, %1;" : "+f"(x) : "f"(value));
    }
  }
  return x;
}

__global__ void __launch_bounds__(kBlock) walk_tree(const Node* nodes, const std::uint32_t* keys, float* out) {
  const std::uint32_t thread = blockIdx.x * kBlock + threadIdx.x;
  std::uint32_t key = keys[thread];
  std::uint32_t at = 0;
  float x = 1;
  Node node = nodes[0];
#pragma unroll 1
  while ((node.bits & kLeaf) == 0) {
    const bool left = ((key >> 31) ^ (node.bits & kWay)) == 0;
    if (left) {
      x = chain<true>(x, node.value);
      at = 2 * at + 1;
    } else {
      x = chain<false>(x, node.value);
      at = 2 * at + 2;
    }
    key <<= 1;
    node = nodes[at];
  }
  out[thread] = x + node.value;
}

__global__ void sort_keys(std::uint32_t* keys, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  keys[i] = static_cast<std::uint32_t>((std::uint64_t{i} << 32) / count);
}

// A leaf from level 3 on with probability 1/4.
__global__ void make_nodes(Node* nodes, const std::uint32_t* random) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kNodes) {
    return;
  }
  const std::uint32_t level = 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(i + 1)));
  const bool leaf = level + 1 == kLevels || (level >= kFirstLeafLevel && (random[i] & 6) == 0);
  const float value = static_cast<float>(random[i] >> 8) * 0x1p-24f;
  nodes[i] = {value, (random[i] & kWay) | (leaf ? kLeaf : 0)};
}

struct Problem {
  std::uint32_t n;
  const char* keys_are;
  Buffer<std::uint32_t> keys{n};
  Buffer<Node> nodes{kNodes};
  Buffer<float> out{n};
  LaunchConfig config{.grid = n / kBlock, .block = kBlock};

  void run() const { launch(walk_tree, config, nodes.get(), keys.get(), out.get()); }

  void fill(bool sorted) {
    keys.fill(Input::Random, 1);
    if (sorted) {
      launch(sort_keys, {.grid = n / kBlock, .block = kBlock}, keys.get(), n);
    }
    Buffer<std::uint32_t> random(kNodes);
    random.fill(Input::Random, 2);
    launch(make_nodes, {.grid = kNodes / kBlock + 1, .block = kBlock}, nodes.get(), random.get());
    SILICON_CHECK(cudaDeviceSynchronize());
  }
};

double stepped(double x, double factor, double value) {
  for (int step = 0; step < kSteps; ++step) {
    x = factor * x + value;
  }
  return x;
}

struct Outcomes {
  std::vector<double> x;
  double visited = 0;         // nodes, all threads together
  double sides_executed = 0;  // by warps: one or two at every level that any lane reaches
};

/// The walks of one warp at once, level by level.
class WarpOnHost {
 public:
  WarpOnHost(const std::vector<Node>& nodes, const std::uint32_t* keys) : nodes_(nodes), keys_(keys) {
    std::fill(std::begin(x_), std::end(x_), 1.0);
  }

  void walk_into(Outcomes& outcomes) {
    for (std::uint32_t level = 0; level < kLevels; ++level) {
      bool is_executed[2] = {false, false};
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        step(lane, level, is_executed, outcomes);
      }
      outcomes.sides_executed += is_executed[0] + is_executed[1];
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      outcomes.x.push_back(x_[lane] + nodes_[at_[lane]].value);
    }
  }

 private:
  void step(std::uint32_t lane, std::uint32_t level, bool* is_executed, Outcomes& outcomes) {
    const Node node = nodes_[at_[lane]];
    if ((node.bits & kLeaf) != 0) {
      return;
    }
    const bool right = ((keys_[lane] << level >> 31) ^ (node.bits & kWay)) != 0;
    x_[lane] = stepped(x_[lane], right ? kRightFactor : kLeftFactor, node.value);
    at_[lane] = 2 * at_[lane] + (right ? 2 : 1);
    is_executed[right ? 1 : 0] = true;
    outcomes.visited += 1;
  }

  const std::vector<Node>& nodes_;
  const std::uint32_t* keys_;
  std::uint32_t at_[32]{};
  double x_[32];
};

Outcomes walk_on_host(const Problem& problem, const Rectangle& part) {
  const std::vector<Node> nodes = problem.nodes.to_host();
  const std::vector<std::uint32_t> keys = to_host(problem.keys, part);
  Outcomes outcomes;
  for (std::size_t first = 0; first < keys.size(); first += 32) {
    WarpOnHost(nodes, &keys[first]).walk_into(outcomes);
  }
  return outcomes;
}

// At most 1 Mi threads: the reference takes eight dependent steps a node.
Rectangle checked_part(std::size_t n) {
  const Rectangle part = sampled_rows(n, kBlock);
  const std::size_t rows = std::min<std::size_t>(part.rows, 4096);
  return {part.first, part.pitch * (part.rows / rows), kBlock, rows};
}

// The chains contract: what comes out is below 4, with the rounding errors of the last few steps.
void measure(Session& session, const Problem& problem) {
  const Params params{{"keys", problem.keys_are}, {"n", problem.n}};
  const Rectangle part = checked_part(problem.n);
  problem.run();
  const Outcomes outcomes = walk_on_host(problem, part);
  const Comparison comparison = compare(to_host(problem.out, part), outcomes.x, {.relative = 1e-5, .absolute = 1e-6});
  if (!session.verify("divergent tree", comparison, params)) {
    return;
  }
  const LaunchFacts facts = launch_facts(walk_tree, problem.config);
  session.expect_sass(facts, "BSSY", 2);  // warps part over the sides and over the length of the walk
  const double visited = outcomes.visited / static_cast<double>(part.elements());
  const double lanes = outcomes.visited / outcomes.sides_executed;
  time_workload(session, {.run = [&] { problem.run(); },
                          .launch = facts,
                          .params = params,
                          .work = {.bytes = 8.0 * problem.n, .flops = 2.0 * kSteps * visited * problem.n},
                          .note = std::to_string(visited) + " nodes a thread, " + std::to_string(lanes) +
                                  " of 32 lanes share a side"});
}

void run(Session& session) {
  for (const std::uint32_t n : sizes_for<std::uint32_t>(session, {1u << 16, 1u << 20, 1u << 24})) {
    for (const bool sorted : {false, true}) {
      Problem problem{n, sorted ? "sorted" : "random"};
      problem.fill(sorted);
      measure(session, problem);
    }
  }
}

const Registered kDivergentTree{{.name = "kernels/divergent_tree", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
