// SPDX-License-Identifier: MIT
// gpusim fit from arguments to text, JSON and exit codes; the memory suite.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/refused.h"

namespace fit_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::Workshop;
using gpusim::app::Wrong;
using nlohmann::json;

TEST_CASE("a model that does not fit is an answer: exit 3, PyTorch's message, who holds what, changes that fit") {
  const Workshop shop;
  const Workshop::Said said = shop.run("fit --model llama-2-7b --gpu rtx4090 --train --sequence 512");
  CHECK(said.code == 3);
  CHECK(said.err.empty());
  CHECK_THAT(said.out, Contains("It does not fit") && Contains("CUDA out of memory. Tried to allocate ") &&
                           Contains("GPU 0 has a total capacity of 23.64 GiB") && Contains("by PyTorch, and") &&
                           Contains("The smallest changes that fit") && Contains("--tuning qlora"));
}

TEST_CASE("memory ends where it ended on an H100: the tensor, the operation, and what was allocated") {
  // What PyTorch said there: tests/validation/silicon/h100, the fault of Llama-3 8B.
  const Workshop shop;
  const Workshop::Said said = shop.run("fit --model llama-3-8b --gpu h100 --train --sequence 1024 --format json");
  CHECK(said.code == 3);
  const json result = json::parse(said.out);
  CHECK(result["schema"] == "gpusim.fit/1");
  CHECK(result["fits"] == false);
  CHECK(result["out_of_memory"]["operation"] == "optimizer's first step");
  CHECK_THAT(result["out_of_memory"]["message"].get<std::string>(),
             Contains("Tried to allocate 224.00 MiB. GPU 0 has a total capacity of 79.18 GiB"));
  CHECK(result["out_of_memory"]["allocated_bytes"].get<double>() / (1ULL << 30) == Approx(75.71).epsilon(0.005));
}

TEST_CASE("each change that is said to fit does fit when it is asked for") {
  const Workshop shop;
  const std::string asked = "fit --model gpt2-xl --gpu rtx4090 --train --batch 8 --sequence 1024 --format json";
  const json result = json::parse(shop.run(asked).out);
  REQUIRE(result["fits"] == false);
  std::size_t fitting = 0;
  for (const json& change : result["changes"]) {
    const std::string options = change["options"];
    INFO(options);
    // An option is given once.
    const bool again = options.find("--batch") != std::string::npos || options.find("--sequence") != std::string::npos;
    const std::string base = again ? "fit --model gpt2-xl --gpu rtx4090 --train --format json" : asked;
    const std::string rest = !again                                            ? ""
                             : options.find("--batch") == std::string::npos    ? " --batch 8"
                             : options.find("--sequence") == std::string::npos ? " --sequence 1024"
                                                                               : "";
    const Workshop::Said said = shop.run(base + rest + " " + options);
    CHECK(said.code == (change["fits"] ? 0 : 3));
    CHECK(json::parse(said.out)["peak_reserved_bytes"] == change["peak_reserved_bytes"]);
    fitting += change["fits"] ? 1 : 0;
  }
  CHECK(fitting >= 2);
}

TEST_CASE("a model that fits says its peak by category, over the step, and what the GPU offers") {
  const Workshop shop;
  const Workshop::Said said = shop.run("fit --model gpt2 --gpu h100 --train --batch 8 --sequence 1024 --no-dropout");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("It fits") && Contains("Most is allocated  backward of loss") &&
                           Contains("activations") && Contains("first forward") && Contains("left for PyTorch"));
}

TEST_CASE("in use, the sequences and tokens that fit are counted, and one more does not fit") {
  const Workshop shop;
  const std::string on = " --gpu rtx4090 --infer --context 4096 --format json";
  const json result = json::parse(shop.run("fit --model llama-3-8b" + on).out);
  CHECK(result["room"]["bytes_per_token"] == 131072);
  const int sequences = result["room"]["sequences"];
  CHECK(shop.run("fit --model llama-3-8b --batch " + std::to_string(sequences) + on).code == 0);
  CHECK(shop.run("fit --model llama-3-8b --batch " + std::to_string(sequences + 1) + on).code == 3);
  CHECK(shop.run("fit --model llama-3-70b --gpu rtx4090 --infer --weights int4").code == 3);
}

TEST_CASE("questions that cannot be are refused") {
  const Workshop shop;
  shop.write("wrong.yaml", "name: x\ntransformer: {layers: 2}\n");
  const std::string llama = "fit --model llama-3-8b --gpu h100 ";
  for (const Wrong& wrong :
       {Wrong{"fit --gpu h100 --train", "needs --model MODEL", 1},
        Wrong{"fit --model llama-3-8b --train", "needs --gpu GPU", 1},
        Wrong{"fit --model llama-3-8b --gpu h100", "needs --train or --infer", 1},
        Wrong{llama + "--train --infer", "--train does not go with --infer", 1},
        Wrong{llama + "--train --context 100", "--context does not go with --train", 1},
        Wrong{llama + "--infer --precision fp32", "--precision does not go with --infer", 1},
        Wrong{"fit --model llama-3-9b --gpu h100 --train", "did you mean 'llama-3-8b'?", 2},
        Wrong{"fit --model llama-3-8b --gpu h101 --train", "did you mean 'h100'?", 2},
        Wrong{"fit --model dgx-a100 --gpu h100 --train", "it is a system, which --system takes", 2},
        Wrong{"fit --model wrong.yaml --gpu h100 --train", "'transformer' lacks 'hidden'", 2},
        Wrong{"fit --model resnet-50 --gpu h100 --train", "is a residual network, and fit knows transformers only", 2},
        Wrong{llama + "--train --batch 1000000 --sequence 4000000", "are too many (allowed: 134,217,728 tokens", 1},
        Wrong{llama + "--train --batch 32 --sequence 4194304 --attention scores", "more than 1,024 TiB", 1},
        Wrong{llama + "--train --batch 0", "--batch", 1},
        Wrong{llama + "--train --precision bf17", "bf16-pure", 1},
        Wrong{llama + "--train --gpus 6 --tensor 4", "--gpus 6 is not a multiple of the 4 GPUs", 1},
        Wrong{llama + "--train --tensor 3", "3 GPUs do not share 32 heads evenly", 1},
        Wrong{llama + "--train --pipeline 33", "--pipeline 33 is more than the 32 layers", 1},
        Wrong{llama + "--train --shard fsdp", "--shard fsdp needs data-parallel GPUs", 1},
        Wrong{llama + "--train --sequence-parallel", "--sequence-parallel needs --tensor", 1},
        Wrong{llama + "--infer --context 10 --prompt 11", "--prompt 11 is longer than the 10 tokens", 1}}) {
    check_refused(shop, wrong);
  }
}

TEST_CASE("memory that was measured is calculated within 5 %") {
  const Workshop shop;
  CHECK(shop.run("validate --suite memory --max-error 5 --format json").code == 0);
}

}  // namespace fit_test
