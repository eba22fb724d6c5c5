# SPDX-License-Identifier: MIT
"""Steps of applications: training, prefill and decode of known models with random weights, chains of small kernels."""
import dataclasses
import typing

import torch

BF16, F16, F32 = torch.bfloat16, torch.float16, torch.float32


@dataclasses.dataclass
class Workload:
    name: str  # "transformer-train"
    params: dict
    make: typing.Callable  # (memory) -> step(); calls memory("model") and so on when each part is on the device
    keep_trace: bool = False

    def label(self):
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.params.items())])


def gpt2(size):
    from transformers import GPT2Config, GPT2LMHeadModel
    layers, width, heads = {"124m": (12, 768, 12), "355m": (24, 1024, 16), "774m": (36, 1280, 20)}[size]
    config = GPT2Config(n_layer=layers, n_embd=width, n_head=heads, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    config.use_cache = False
    return GPT2LMHeadModel(config), config.vocab_size


def bert_large(_):
    from transformers import BertConfig, BertForMaskedLM
    config = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    return BertForMaskedLM(config), config.vocab_size


def llama(size):
    from transformers import LlamaConfig, LlamaForCausalLM
    layers, width, inner, heads, groups, tied = {"1b": (16, 2048, 8192, 32, 8, True),
                                                 "8b": (32, 4096, 14336, 32, 8, False)}[size]
    config = LlamaConfig(vocab_size=128256, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers,
                         num_attention_heads=heads, num_key_value_heads=groups, tie_word_embeddings=tied,
                         max_position_embeddings=8192, rope_theta=500000.0)
    config.use_cache = False
    return LlamaForCausalLM(config), config.vocab_size


LANGUAGE_MODELS = {"gpt2": gpt2, "bert-large": bert_large, "llama-3": llama}


def language_model(family, size, dtype=F32):
    torch.set_default_dtype(dtype)
    try:
        with torch.device("cuda"):
            return LANGUAGE_MODELS[family](size)
    finally:
        torch.set_default_dtype(F32)


def precision_of(name):
    """The context of a forward pass; also sets whether FP32 products use TF32."""
    torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
    torch.backends.cudnn.allow_tf32 = name == "tf32"
    dtype = {"bf16": BF16, "f16": F16}.get(name)
    return torch.autocast("cuda", dtype=dtype, enabled=dtype is not None)


def training_step(memory, optimizer, precision, loss_of):
    """A step with the loss that `loss_of` calculates forward."""
    def step():
        with precision_of(precision):
            loss = loss_of()
        memory("forward")
        loss.backward()
        memory("backward")
        optimizer.step()
        memory("optimizer")
        optimizer.zero_grad(set_to_none=True)
    return step


def train_language(family, size, batch, length, precision, compiled=False, recompute=False, fused=True):
    def make(memory):
        model, vocabulary = language_model(family, size)
        if recompute:
            model.gradient_checkpointing_enable()
        model.train()
        memory("weights")
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=fused)
        ids = torch.randint(0, vocabulary, (batch, length), device="cuda")
        called = torch.compile(model) if compiled else model

        return training_step(memory, optimizer, precision, lambda: called(input_ids=ids, labels=ids).loss)
    return make


def train_resnet(batch, precision, channels_last=True):
    def make(memory):
        import timm
        with torch.device("cuda"):
            model = timm.create_model("resnet50")
        form = torch.channels_last if channels_last else torch.contiguous_format
        model = model.to(memory_format=form).train()
        memory("weights")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
        images = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=form)
        labels = torch.randint(0, 1000, (batch,), device="cuda")

        return training_step(memory, optimizer, precision,
                             lambda: torch.nn.functional.cross_entropy(model(images), labels))
    return make


def in_graph(step):
    """`step` captured as one CUDA graph; a replay of it."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def prefill(size, batch, length, graph=False):
    def make(memory):
        model, vocabulary = language_model("llama-3", size, BF16)
        model.eval()
        memory("weights")
        ids = torch.randint(0, vocabulary, (batch, length), device="cuda")

        def step():
            with torch.no_grad():
                model(input_ids=ids, logits_to_keep=1)
            memory("forward")
        return in_graph(step) if graph else step
    return make


def decode(size, batch, length):
    """One token per sequence, with `length` tokens in the cache of keys and values."""
    def make(memory):
        from transformers import DynamicCache
        model, vocabulary = language_model("llama-3", size, BF16)
        model.eval()
        memory("weights")
        ids = torch.randint(0, vocabulary, (batch, length), device="cuda")
        cache = DynamicCache()
        with torch.no_grad():
            model(input_ids=ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
        memory("cache")
        token = ids[:, -1:]

        def step():
            with torch.no_grad():
                model(input_ids=token, past_key_values=cache, use_cache=True, logits_to_keep=1)
            cache.crop(length)
            memory("forward")
        return step
    return make


def chain(operations, n, how):
    """Element-wise operations, each of which needs the one before."""
    def make(memory):
        x = torch.randn(n, device="cuda")

        def many(x):
            for _ in range(operations // 2):
                x = x * 1.0001
                x = x + 0.0001
            return x
        called = torch.compile(many) if how == "compiled" else many

        def step():
            with torch.no_grad():
                called(x)
        memory("forward")
        return in_graph(step) if how == "graph" else step
    return make


def two_streams(size, products, streams):
    """Independent products of `size`, on one stream or spread over two."""
    def make(memory):
        torch.backends.cuda.matmul.allow_tf32 = False
        inputs = [[torch.randn(size, size, device="cuda", dtype=BF16) for _ in range(3)] for _ in range(2)]
        lanes = [torch.cuda.Stream() for _ in range(streams)]
        memory("inputs")

        def step():
            begin = torch.cuda.current_stream()
            for lane in lanes:
                lane.wait_stream(begin)
            for i in range(products):
                for j, (a, b, out) in enumerate(inputs):
                    with torch.cuda.stream(lanes[j % streams]):
                        torch.mm(a, b, out=out)
            for lane in lanes:
                begin.wait_stream(lane)
        return step
    return make


def copied(megabytes, pinned, non_blocking):
    """A batch is copied to the device, and a product of about a millisecond follows."""
    def make(memory):
        host = torch.randn(megabytes * 2**18, pin_memory=pinned)
        a, b = (torch.randn(8192, 8192, device="cuda", dtype=BF16) for _ in range(2))
        memory("inputs")

        def step():
            host.to("cuda", non_blocking=non_blocking)
            torch.mm(a, b)
        return step
    return make


def workloads():
    found = []

    def add(name, make, keep_trace=False, **params):
        found.append(Workload(name, params, make, keep_trace))

    def train(family, size, batch, length, precision, keep_trace=False, **how):
        add("transformer-train", train_language(family, size, batch, length, precision, **how), keep_trace=keep_trace,
            model=family, size=size, batch=batch, length=length, precision=precision,
            **{key: int(value) for key, value in how.items()})
    train("gpt2", "124m", 8, 1024, "bf16", keep_trace=True)
    train("bert-large", "340m", 32, 128, "bf16", keep_trace=True)
    add("resnet50-train", train_resnet(128, "f16"), keep_trace=True, batch=128, precision="f16", channels_last=1)
    add("transformer-prefill", prefill("1b", 1, 512), keep_trace=True, model="llama-3", size="1b", batch=1, length=512)
    add("transformer-decode", decode("1b", 1, 512), keep_trace=True, model="llama-3", size="1b", batch=1, length=512)
    add("elementwise-chain", chain(64, 1 << 16, "eager"), keep_trace=True, operations=64, n=1 << 16, how="eager")
    add("overlap-demo", two_streams(512, 32, 2), keep_trace=True, size=512, products=32, streams=2)
    add("overlap-demo", two_streams(512, 32, 1), size=512, products=32, streams=1)
    for precision in ("f32", "tf32"):
        train("gpt2", "124m", 8, 1024, precision)
        train("bert-large", "340m", 32, 128, precision)
        add("resnet50-train", train_resnet(128, precision), batch=128, precision=precision, channels_last=1)
    for batch in (1, 2, 4, 16, 32):
        train("gpt2", "124m", batch, 1024, "bf16")
    train("gpt2", "124m", 8, 1024, "bf16", recompute=True)
    train("gpt2", "355m", 8, 1024, "bf16")
    train("gpt2", "355m", 8, 1024, "bf16", recompute=True)
    train("gpt2", "774m", 4, 1024, "bf16")
    train("gpt2", "124m", 8, 1024, "bf16", fused=False)
    train("bert-large", "340m", 8, 512, "bf16")
    train("llama-3", "1b", 1, 512, "bf16")
    train("llama-3", "1b", 4, 2048, "bf16")
    for batch in (16, 32, 64, 256):
        add("resnet50-train", train_resnet(batch, "f16"), batch=batch, precision="f16", channels_last=1)
    add("transformer-prefill", prefill("1b", 1, 512, graph=True), model="llama-3", size="1b", batch=1, length=512,
        graph=1)
    for length in (512, 2048, 8192):
        add("transformer-prefill", prefill("8b", 1, length), model="llama-3", size="8b", batch=1, length=length)
    add("transformer-prefill", prefill("8b", 1, 512, graph=True), model="llama-3", size="8b", batch=1, length=512,
        graph=1)
    for batch in (1, 16):
        add("transformer-decode", decode("8b", batch, 1024), model="llama-3", size="8b", batch=batch, length=1024)
    for n in (1 << 10, 1 << 20, 1 << 24):
        add("elementwise-chain", chain(64, n, "eager"), operations=64, n=n, how="eager")
    for n in (1 << 10, 1 << 16, 1 << 20, 1 << 24):
        add("elementwise-chain", chain(64, n, "graph"), operations=64, n=n, how="graph")
    for size in (128, 256, 1024, 4096):
        for streams in (1, 2):
            add("overlap-demo", two_streams(size, 32, streams), size=size, products=32, streams=streams)
    for megabytes in (1, 16, 64):
        for pinned, non_blocking in ((False, False), (True, False), (True, True)):
            add("copy-then-product", copied(megabytes, pinned, non_blocking), megabytes=megabytes, pinned=int(pinned),
                non_blocking=int(non_blocking))
    train("llama-3", "8b", 1, 1024, "bf16")  # does not fit 80 GB: the error is what is asked for
    add("elementwise-chain", chain(64, 1 << 24, "compiled"), operations=64, n=1 << 24, how="compiled")
    train("gpt2", "124m", 8, 1024, "bf16", compiled=True)
    train("llama-3", "1b", 1, 512, "bf16", compiled=True)
    return found
