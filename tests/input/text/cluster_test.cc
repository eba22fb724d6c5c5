// SPDX-License-Identifier: MIT
// `cluster` in the head of a kernel, and the names of a CTA's place in its cluster.
#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace cluster_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

std::string head_error(const std::string& lines) {
  return load_error(kernel_text(lines, "EXIT\n"));
}

}  // namespace

TEST_CASE("a kernel's clusters are part of its head, and every CTA is alone without them") {
  CHECK(load(kernel_text("grid (8, 4)\ncluster (4, 2)\nblock (32)\n", "EXIT\n")).kernels[0].cluster == Dim3{4, 2, 1});
  CHECK(load(kernel_text("grid (8, 4)\nblock (32)\n", "EXIT\n")).kernels[0].cluster == Dim3{1, 1, 1});
}

TEST_CASE("expressions know a CTA's place in its cluster by the names of PTX") {
  const std::string head = "grid (6, 4)\ncluster (3, 2)\nblock (32)\nbuffer x u32[4096]\n";
  const auto value = [&](const std::string& expression, trace::CtaId cta) {
    const trace::Trace trace = load(kernel_text(head, "LDG.E R4, [R2.64] @ x[" + expression + "]\nEXIT\n"));
    return (addresses(trace.kernels[0], cta).at(0)[0] - trace.kernels[0].buffers[0].base) / 4;
  };
  const trace::CtaId cta{5, 2, 0};
  CHECK(value("cluster_ctaid.x", cta) == 2);
  CHECK(value("cluster_ctaid.y", cta) == 0);
  CHECK(value("clusterid.x", cta) == 1);
  CHECK(value("clusterid.y", cta) == 1);
  CHECK(value("cluster_ctarank", {4, 3, 0}) == 1 + 3);
  CHECK(value("cluster_nctaid.x*100 + cluster_nctaid.y", cta) == 302);
  CHECK(value("nclusterid.x*100 + nclusterid.y", cta) == 202);
  CHECK(value("cluster_nctarank", cta) == 6);
}

TEST_CASE("clusters that do not divide the grid, or are too large for any GPU, are refused") {
  CHECK(head_error("grid (7)\ncluster (2)\nblock (32)\n") ==
        "t.trace:4:10: cluster.x is 2, grid.x is 7 (the grid is made of whole clusters: each of its sizes must be a "
        "multiple of theirs)");
  CHECK(head_error("grid (64, 64)\ncluster (16, 16)\nblock (32)\n") ==
        "t.trace:4:10: a cluster of 256 CTAs (at most 8 on every GPU that has clusters, 16 where the GPU allows it)");
  CHECK(head_error("grid (4)\ncluster (0)\nblock (32)\n") == "t.trace:4:10: cluster.x is 0 (allowed: 1 to 64)");
}

}  // namespace cluster_test
