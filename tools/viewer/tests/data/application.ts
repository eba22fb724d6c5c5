// SPDX-License-Identifier: MIT
// An application's page for tests, as the program writes it: two GPUs, two threads, a copy, kernels, an all-reduce.
import type { Json } from './page';

interface Made {
  lane: number;
  kind: number;
  name: number;
  begin: number;
  end: number;
  critical?: boolean;
}

const kLanes = [
  { group: 'gpu0', name: 'default' },
  { group: 'gpu0', name: 'comm' },
  { group: 'gpu1', name: 'default' },
  { group: 'CPU', name: 'ranges of rank0' },
  { group: 'CPU', name: 'rank0' },
  { group: 'CPU', name: 'rank1' },
];
const kNames = [
  'gemm',
  'relu',
  'all-reduce',
  '[CUDA memcpy Host-to-Device]',
  'forward',
  'cudaLaunchKernel',
  'aten::mm',
];

function activities(): Made[] {
  const made: Made[] = [{ lane: 3, kind: 9, name: 4, begin: 0, end: 60_000 }];
  for (let i = 0; i < 10; ++i) {
    const at = i * 10_000;
    made.push({ lane: 4, kind: 8, name: 6, begin: at, end: at + 2000 });
    made.push({ lane: 4, kind: 7, name: 5, begin: at + 2000, end: at + 4000, critical: true });
    made.push({ lane: 5, kind: 7, name: 5, begin: at + 2000, end: at + 4000 });
    made.push({ lane: 0, kind: i % 2, name: i % 2, begin: at + 5000, end: at + 12_000, critical: true });
    made.push({ lane: 2, kind: i % 2, name: i % 2, begin: at + 5000, end: at + 12_000 });
  }
  made.push({ lane: 1, kind: 4, name: 3, begin: 0, end: 4000 });
  made.push({ lane: 1, kind: 6, name: 2, begin: 100_000, end: 140_000, critical: true });
  return made.sort((a, b) => a.begin - b.begin);
}

function row(name: string, count: number, mean: number): Json {
  return { name, count, total_us: count * mean, mean_us: mean, median_us: mean, min_us: mean, max_us: mean };
}

const gpu = (name: string): Json => ({
  name,
  arch: 'h100',
  busy_share: 0.7,
  sm_active_share: 0.6,
  mfu_share: 0.25,
  memory: {
    peak_allocated_bytes: 3e9,
    peak_reserved_bytes: 4e9,
    at_peak_bytes: { weights: 1e9, activations: 2e9, gradients: 0 },
  },
});

export function applicationPage(): Json {
  const made = activities();
  const column = (of: (item: Made) => number) => made.map(of);
  return {
    schema: 'gpusim.page/1',
    kind: 'app',
    version: '0',
    app: {
      report: {
        schema: 'gpusim.app/1',
        application: 'Step of two ranks',
        system: 'DGX H100',
        step_us: 140,
        rounds: 1,
        verdict: 'Kernels bound by compute take most of the step: a narrower type would shorten it.',
        causes: { compute_us: 40, memory_us: 30, communication_us: 40, launch_gaps_us: 30, data_us: 0 },
        gpus: [gpu('gpu0'), gpu('gpu1')],
        kernels: [
          { ...row('gemm', 10, 7), time_is: 'simulated', note: 'two runs of its first waves' },
          { ...row('relu', 10, 7), time_is: 'roofline' },
        ],
        collectives: [{ ...row('all-reduce', 2, 40), bytes: 8e6 }],
        copies: [{ ...row('[CUDA memcpy Host-to-Device]', 1, 4), bytes: 1e5 }],
        calls: [row('cudaLaunchKernel', 20, 2)],
        work: [row('aten::mm', 10, 2)],
        critical_path: [
          { name: 'gemm', us: 70 },
          { name: 'all-reduce', us: 40 },
          { name: 'cudaLaunchKernel', us: 30 },
        ],
      },
      causes: [
        { key: 'compute_us', name: 'kernels, bound by compute', meaning: 'kernels run that tensor cores bound' },
        { key: 'memory_us', name: 'kernels, bound by memory', meaning: 'kernels run that DRAM bounds' },
        { key: 'communication_us', name: 'communication', meaning: 'a collective runs, and no other kernel' },
        { key: 'data_us', name: 'waiting for data', meaning: 'a thread waits' },
        { key: 'launch_gaps_us', name: 'launch gaps', meaning: 'nothing runs' },
      ],
      uses: [
        { key: 'busy_share', name: 'GPU-Util (nvidia-smi)', meaning: 'time with a kernel on the GPU' },
        { key: 'sm_active_share', name: 'SM active', meaning: 'SMs with a CTA' },
        { key: 'mfu_share', name: 'MFU', meaning: 'FLOPs of the model, of the peak' },
      ],
      kinds: ['compute', 'memory', 'small', 'recorded', 'copy', 'fill', 'collective', 'call', 'work', 'range'].map(
        (key) => ({ key, name: `kind ${key}` }),
      ),
      span_ns: 140_000,
      activities: {
        lanes: kLanes,
        names: kNames,
        left_out: 3,
        lane: column((item) => item.lane),
        kind: column((item) => item.kind),
        name: column((item) => item.name),
        begin_ns: column((item) => item.begin),
        end_ns: column((item) => item.end),
        critical: column((item) => (item.critical === true ? 1 : 0)),
      },
      memory: [{ gpu: 'gpu0', at_ns: [0, 50_000], allocated: [1e9, 3e9], reserved: [4e9, 4e9] }],
      links: Array.from({ length: 10 }, (_, i) => ({
        name: `gpu${i} -> nvswitch`,
        peak_gb_per_second: 450,
        at_ns: [100_000, 140_000],
        gb_per_second: [200 + i, 0],
      })),
    },
  };
}
