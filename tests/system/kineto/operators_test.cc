// SPDX-License-Identifier: MIT
// What kernels do by the shapes of the operators that launched them.
#include "sim/system/kineto/operators.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/kineto/import.h"

namespace kineto_operators_test {

using namespace gpusim;
using namespace gpusim::kineto;

namespace {

using Dims = std::vector<std::uint64_t>;

constexpr const char* kBf16 = "c10::BFloat16";
constexpr const char* kGemm = "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn";
constexpr const char* kElementwise = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add>";

/// The operation as a file has it; "nothing" for none.
std::string read(const std::string& op, std::vector<Input> inputs, const std::string& kernel) {
  const auto found = operation_of({op, std::move(inputs)}, kernel);
  return found ? application::text_of(*found) : "nothing";
}

Input tensor(Dims dims, const char* type = kBf16) {
  return {std::move(dims), type, ""};
}

Input value(const char* text) {
  return {{}, "Scalar", text};
}

/// A trace with one operator, whose `args` are these, and a kernel that it launched.
std::string trace(const std::string& op, const std::string& args, const std::string& kernel,
                  const std::string& of_kernel = R"("External id":7,)") {
  return R"({"deviceProperties":[{"name":"NVIDIA A100-SXM4-80GB"}],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":")" +
         op + R"(","pid":9,"tid":1,"ts":0,"dur":20,"args":{"External id":7,)" + args + R"(}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":4,"dur":5,
 "args":{"External id":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":")" +
         kernel + R"(","ts":12,"dur":35,"args":{)" + of_kernel + R"("correlation":1,"stream":7,"grid":[64,1,1]}}]})";
}

const application::Recorded& recorded_of(const Imported& imported) {
  return std::get<application::Recorded>(imported.application.kernels.front().how);
}

}  // namespace

TEST_CASE("products have m, n and k of their operator's tensors, and the type of the first") {
  CHECK(read("aten::mm", {tensor({4096, 1024}), tensor({1024, 768})}, kGemm) ==
        "{of: product, m: 4096, n: 768, k: 1024, batch: 1, type: bf16}");
  CHECK(read("aten::addmm", {tensor({768}), tensor({4096, 1024}), tensor({1024, 768})}, "nvjet_tst_128x256_NNT") ==
        "{of: product, m: 4096, n: 768, k: 1024, batch: 1, type: bf16}");
  CHECK(read("aten::bmm", {tensor({96, 64, 32}, "c10::Half"), tensor({96, 32, 16}, "c10::Half")},
             "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm>") ==
        "{of: product, m: 64, n: 16, k: 32, batch: 96, type: fp16}");
  CHECK(read("aten::linear", {tensor({8, 512, 1024}), tensor({768, 1024}), tensor({768})}, kGemm) ==
        "{of: product, m: 4096, n: 768, k: 1024, batch: 1, type: bf16}");
  CHECK(read("aten::mv", {tensor({512, 256}), tensor({256})}, "void gemv2T_kernel_val<int>") ==
        "{of: product, m: 512, n: 1, k: 256, batch: 1, type: bf16}");
}

TEST_CASE("products of FP32 are in TF32 where the kernel's name says so") {
  const std::vector<Input> inputs{tensor({64, 64}, "float"), tensor({64, 64}, "float")};
  const std::string shape = "{of: product, m: 64, n: 64, k: 64, batch: 1, type: ";
  CHECK(read("aten::mm", inputs, "ampere_sgemm_128x64_tn") == shape + "fp32}");
  CHECK(read("aten::mm", inputs, "sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16") == shape + "tf32}");
  CHECK(read("aten::mm", inputs, "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_nn>") == shape + "tf32}");
}

TEST_CASE("kernels beside the product of an operator are not products") {
  const std::vector<Input> inputs{tensor({4096, 1024}), tensor({1024, 768})};
  for (const char* const kernel : {"void splitKreduce_kernel<32, 16, int, float>",
                                   "void cublasLt::splitKreduce_kernel<32, 16>", kElementwise, "memset32"}) {
    INFO(kernel);
    CHECK(read("aten::mm", inputs, kernel) == "nothing");
  }
  CHECK(read("aten::topk", inputs, kGemm) == "nothing");
}

TEST_CASE("attention has its heads by the operator's layout, its mask by the value, its version by the kernel") {
  const Dims rows_first{8, 1024, 12, 64};
  const Dims heads_first{8, 12, 1024, 64};
  const std::string shape = "batch: 8, heads: 12, kv_heads: 12, queries: 1024, keys: 1024, head_size: 64, causal: ";
  const std::vector<Input> flash{tensor(rows_first), tensor(rows_first), tensor(rows_first), value(""),    value(""),
                                 value("1024"),      value("1024"),      value("0."),        value("True")};
  CHECK(read("aten::_flash_attention_forward", flash, "void pytorch_flash::flash_fwd_kernel<>") ==
        "{of: attention, " + shape + "yes, flash: 2}");
  CHECK(read("aten::_scaled_dot_product_cudnn_attention",
             {tensor(heads_first), tensor(heads_first), tensor(heads_first), value(""), value("True"), value("0."),
              value("False")},
             "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x64x64_4x1x1_kernel0_0") ==
        "{of: attention, " + shape + "no, flash: newest}");
  CHECK(read("aten::_flash_attention_forward", flash, "void pytorch_flash::flash_fwd_splitkv_combine_kernel<>") ==
        "nothing");
  std::vector<Input> backward(13, value(""));
  std::fill_n(backward.begin(), 5, tensor(rows_first));
  backward[11] = value("True");
  CHECK(read("aten::_flash_attention_backward", backward, "flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel") ==
        "{of: attention-backward, " + shape + "yes, flash: 2}");
  CHECK(read("aten::_flash_attention_backward", backward, "flash_bwd_dot_do_o_kernel") == "nothing");
}

TEST_CASE("attention of one query is that of a decode step, and of ragged or unknown masks it is not known") {
  const Dims one{8, 1, 32, 128};
  const Dims cache{8, 4096, 8, 128};
  std::vector<Input> inputs{tensor(one),   tensor(cache), tensor(cache), value(""),     value(""),
                            value("4096"), value("4096"), value("0."),   value("False")};
  const std::string kernel = "void pytorch_flash::flash_fwd_splitkv_kernel<>";
  CHECK(read("aten::_flash_attention_forward", inputs, kernel) ==
        "{of: attention-decode, batch: 8, heads: 32, kv_heads: 8, keys: 4096, head_size: 128}");
  inputs[8].value = "";
  CHECK(read("aten::_flash_attention_forward", inputs, kernel) == "nothing");
  inputs[8].value = "False";
  inputs[3] = tensor({9}, "int");
  CHECK(read("aten::_flash_attention_forward", inputs, kernel) == "nothing");
}

TEST_CASE("norms and softmax have rows and columns, by the normalized shape, the weight or the last dimension") {
  const std::string kernel = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)";
  const std::string norm = "{of: layer-norm, rows: 8192, columns: 768, type: bf16}";
  CHECK(read("aten::native_layer_norm", {tensor({8, 1024, 768}), value("[768]"), tensor({768})}, kernel) == norm);
  CHECK(read("aten::native_layer_norm", {tensor({8, 1024, 768}), value(""), tensor({768})}, kernel) == norm);
  CHECK(read("aten::native_layer_norm", {tensor({8, 1024, 768})}, kernel) == norm);
  CHECK(read("aten::native_layer_norm", {tensor({8, 1024, 768}), value("[1024, 768]")}, kernel) ==
        "{of: layer-norm, rows: 8, columns: 786432, type: bf16}");
  CHECK(read("aten::native_layer_norm", {tensor({8, 1024, 768}), value("[767]")}, kernel) == "nothing");
  CHECK(read("aten::_fused_rms_norm", {tensor({64, 512}), value("[512]")}, kernel) ==
        "{of: rms-norm, rows: 64, columns: 512, type: bf16}");
  CHECK(read("aten::_log_softmax", {tensor({512, 1000}, "float")}, "void softmax_warp_forward<float>") ==
        "{of: softmax, rows: 512, columns: 1000, type: fp32}");
  CHECK(read("aten::_softmax", {tensor({512, 1000}, "float")}, "void cunn_SpatialSoftMaxForward<float>") == "nothing");
}

TEST_CASE("gradients of a norm move three tensors, and sum rows for the weights") {
  const std::vector<Input> inputs{tensor({8192, 768}), tensor({8192, 768}), value("[768]"), tensor({8192, 1}),
                                  tensor({8192, 1}),   tensor({768}),       tensor({768})};
  CHECK(read("aten::native_layer_norm_backward", inputs, "void layer_norm_grad_input_kernel_vectorized<>") ==
        "{of: move, bytes: 36 MiB}");
  CHECK(read("aten::native_layer_norm_backward", inputs, "void GammaBetaBackwardCUDAKernelTemplate<>") ==
        "{of: norm-weight-gradient, rows: 8192, columns: 768}");
}

TEST_CASE("element-wise kernels move what they read and write, with shapes that go together") {
  CHECK(read("aten::add", {tensor({1024, 512}), tensor({1024, 512}), value("1")}, kElementwise) ==
        "{of: move, bytes: 3 MiB}");
  CHECK(read("aten::mul", {tensor({1024, 512}), tensor({})}, kElementwise) == "{of: move, bytes: 2 MiB}");
  CHECK(read("aten::add", {tensor({1024, 512}), tensor({512})}, kElementwise) == "{of: move, bytes: 2049 KiB}");
  CHECK(read("aten::add", {tensor({1024, 512}), tensor({513})}, kElementwise) == "nothing");
  CHECK(read("aten::add", {tensor({64, 64}, "float"), tensor({64, 64})}, kElementwise) ==
        "{of: mixed-add, elements: 4096}");
  CHECK(read("aten::copy_", {tensor({64, 64}, "float"), tensor({64, 64})}, kElementwise) ==
        "{of: cast, elements: 4096}");
  CHECK(read("aten::copy_", {tensor({64, 64}), tensor({64, 64}, "float")}, kElementwise) ==
        "{of: move, bytes: 24 KiB}");
  CHECK(read("aten::gelu", {tensor({64, 64})}, kElementwise) == "{of: gelu, elements: 4096, type: bf16}");
  CHECK(read("aten::add", {tensor({1024, 512}, "nonsense")}, kElementwise) == "nothing");
}

TEST_CASE("sums are of rows or of columns where they are many, and else read what they sum") {
  const std::string kernel = "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>";
  CHECK(read("aten::mean", {tensor({8, 1024, 768}, "float"), value("[-1]")}, kernel) ==
        "{of: row-sum, rows: 8192, columns: 768}");
  CHECK(read("aten::sum", {tensor({8, 1024, 768}), value("[0, 1]")}, kernel) ==
        "{of: column-sum, rows: 8192, columns: 768, type: bf16}");
  CHECK(read("aten::sum", {tensor({8, 1024, 768}), value("[1]")}, kernel) == "{of: move, bytes: 12 MiB}");
  CHECK(read("aten::sum", {tensor({1024, 512})}, kernel) == "{of: move, bytes: 1 MiB}");
  CHECK(read("aten::sum", {tensor({1024, 512}), value("[2]")}, kernel) == "nothing");
}

TEST_CASE(
    "a sum over a list of dimensions that cannot be read is not known, and one without a list is of all elements") {
  const std::string kernel = "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>";
  const auto sum_over = [&kernel](const Input& second) {
    return read("aten::sum", {tensor({1024, 512}), second}, kernel);
  };
  for (const char* const unreadable :
       {"", "[0", "[x]", "[0, x]", "[0.5]", "[99999999999999999999]", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"}) {
    INFO(unreadable);
    CHECK(sum_over({{}, "ScalarList", unreadable}) == "nothing");
  }
  CHECK(sum_over({{}, "ScalarList", "[]"}) == "{of: move, bytes: 1 MiB}");
  CHECK(sum_over({{}, "ScalarList", "[0,-1]"}) == "{of: move, bytes: 1 MiB}");
  CHECK(sum_over({{}, "", ""}) == "{of: move, bytes: 1 MiB}");
  CHECK(sum_over({{}, "Scalar", "0"}) == "{of: move, bytes: 1 MiB}");  // the type of the result
}

TEST_CASE("rows that are looked up have a table") {
  const std::string kernel = "void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>";
  CHECK(read("aten::embedding", {tensor({50257, 768}), tensor({8, 1024}, "long int")}, kernel) ==
        "{of: lookup, rows: 8192, columns: 768, table: 50257, type: bf16}");
  CHECK(read("aten::index_select", {tensor({50257, 768}), value("0"), tensor({8192}, "long int")}, kernel) ==
        "{of: lookup, rows: 8192, columns: 768, table: 50257, type: bf16}");
  CHECK(read("aten::index_select", {tensor({50257, 768}), value("1"), tensor({8192}, "long int")}, kernel) ==
        "nothing");
}

TEST_CASE("no number of inputs and no sizes of them are too odd") {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const std::vector<Dims> odd{{}, {0}, {0, 0}, {huge, huge}, {huge, 2, huge}, {1, 1, 1, 1, 1}, {7}};
  for (const char* const op :
       {"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::linear", "aten::mv", "aten::native_layer_norm",
        "aten::native_layer_norm_backward", "aten::_softmax", "aten::_softmax_backward_data", "aten::sum", "aten::add",
        "aten::copy_", "aten::gelu", "aten::embedding", "aten::index_select", "aten::_flash_attention_forward",
        "aten::_scaled_dot_product_flash_attention_backward"}) {
    for (const char* const kernel : {kGemm, kElementwise, "layer_norm softmax reduce_kernel gather flash_fwd",
                                     "GammaBeta layer_norm_grad_input flash_bwd_dq_dk_dv"}) {
      for (const Dims& dims : odd) {
        for (std::size_t count = 0; count < 4; ++count) {
          const std::vector<Input> inputs(count, {dims, "float", "[99999999999999999999, -3]"});
          CHECK_NOTHROW(operation_of({op, inputs}, kernel));
        }
      }
    }
  }
}

TEST_CASE("an imported kernel does what the shapes of its operator say, and so does its file") {
  const std::string shapes = R"("Input Dims":[[512,256],[256,128]],"Input type":["c10::BFloat16","c10::BFloat16"])";
  for (const char* const of_kernel : {R"("External id":7,)", ""}) {  // else the call says which operator
    const Imported imported = import_text(trace("aten::mm", shapes, kGemm, of_kernel), "x.json");
    CHECK(imported.with_shapes == 1);
    const application::Recorded& recorded = recorded_of(imported);
    REQUIRE(recorded.does);
    CHECK(application::text_of(*recorded.does) == "{of: product, m: 512, n: 128, k: 256, batch: 1, type: bf16}");
    const std::string written = application::to_yaml(imported.application);
    const application::Application again = application::parse_application(written, "x.yaml");
    CHECK(std::get<application::Recorded>(again.kernels.front().how).does == recorded.does);
    CHECK(application::to_yaml(again) == written);
  }
}

TEST_CASE("an imported trace says whether it has shapes, also those of operators that are not known") {
  const std::string shapes = R"("Input Dims":[[512,256]],"Input type":["float"])";
  const Imported unknown = import_text(trace("aten::topk", shapes, kGemm), "x.json");
  CHECK(unknown.has_shapes);
  CHECK(unknown.with_shapes == 0);
  CHECK(!import_text(trace("aten::mm", R"("Input Dims":[])", kGemm), "x.json").has_shapes);
  CHECK(!import_text(trace("aten::mm", R"("Input type":["float"])", kGemm), "x.json").has_shapes);
}

TEST_CASE("kernels of one name and time that do different things are different kernels") {
  const auto one = [](int id, double ts, const std::string& dims) {
    const std::string number = std::to_string(id);
    return R"({"ph":"X","cat":"cpu_op","name":"aten::mm","tid":1,"ts":)" + std::to_string(ts) +
           R"(,"dur":9,"args":{"External id":)" + number + R"(,"Input Dims":)" + dims +
           R"(,"Input type":["float","float"]}},)" +
           R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","tid":1,"ts":)" + std::to_string(ts + 1) +
           R"(,"dur":5,"args":{"correlation":)" + number + R"(}},)" +
           R"({"ph":"X","cat":"kernel","name":"gemm","ts":)" + std::to_string(ts + 9) +
           R"(,"dur":3,"args":{"correlation":)" + number + R"(,"External id":)" + number + R"(,"stream":7}},)";
  };
  const Imported imported = import_text(R"({"traceEvents":[)" + one(1, 0, "[[8,8],[8,8]]") +
                                            one(2, 20, "[[16,8],[8,4]]") + one(3, 40, "[[8,8],[8,8]]") + "{}]}",
                                        "x.json");
  CHECK(imported.application.kernels.size() == 2);
  CHECK(imported.with_shapes == 3);
}

TEST_CASE("shapes that are missing, malformed, nested or empty leave a kernel with its time alone") {
  for (const char* const args :
       {R"("Input Dims":[])", R"("Input Dims":{})", R"("Input Dims":"[[512,256],[256,128]]")", R"("Input Dims":null)",
        R"("Input Dims":[[],[]],"Input type":["",""])", R"("Input Dims":[[[512,256]],[[256,128]]])",
        R"("Input Dims":[[512,256],[256,128]])", R"("Input Dims":[[512,256],[256,128]],"Input type":[4,{}])",
        R"("Input Dims":[[512,"x"],[256,128]],"Input type":["float","float"])",
        R"("Input Dims":[[512,-256],[-256,128]],"Input type":["float","float"])",
        R"("Input Dims":[[512,2.5],[2.5,128]],"Input type":["float","float"])",
        R"("Input Dims":[[512,256],"..."],"Input type":["float","float"])",
        R"("Input Dims":[[512,256]],"Input type":["float"])",
        R"("Input Dims":[[0,256],[256,128]],"Input type":["float","float"])", R"("Input type":["float","float"])"}) {
    INFO(args);
    const Imported imported = import_text(trace("aten::mm", args, kGemm), "x.json");
    CHECK(imported.kernels == 1);
    CHECK(imported.with_shapes == 0);
    CHECK(recorded_of(imported).ns == 35'000);
  }
}

}  // namespace kineto_operators_test
