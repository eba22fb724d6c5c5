// SPDX-License-Identifier: MIT
// Pages for tests, the same at every run: a run with everything recorded, a comparison, a sweep.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { kProgram, ToySm, type ToyResult } from './mini_sm';
import { kRowColumns, runOf } from './pack';
import { states } from './states';

export type Json = Record<string, unknown>;

export interface Options {
  name?: string;
  /** Warp slots a sub-core, and CTAs of the SM. */
  slots?: number;
  ctas?: number;
  /** Divides times: the faster run of a comparison. */
  speed?: number;
  recorded?: boolean;
  kernels?: number;
}

const kSms = 132;

function hotspots(toy: ToyResult): Json[] {
  return kProgram
    .map((item, index) => {
      const executions = toy.issued[index] * kSms;
      const lanes = item.lanes === 0xffffffff ? 32 : 16;
      return {
        pc: 16 * index,
        opcode: item.text.split(' ')[0],
        line: item.line,
        index,
        text: item.text,
        warp_instructions: executions,
        thread_instructions: executions * lanes,
        active_lanes: executions * lanes,
        divergent_branches: item.text.startsWith('@') ? executions : 0,
        memory_requests: (item.requests ?? 0) * executions,
        memory_sectors: (item.sectors ?? 0) * executions,
        ...(item.queue === 'MIO queue' && item.pipe === 'lsu' && item.text.includes('[')
          ? {
              shared_wavefronts: (1 + (item.conflicts ?? 0)) * executions,
              shared_ideal_wavefronts: executions,
            }
          : {}),
        stalls: Object.fromEntries(Object.entries(toy.stalls[index]).map(([key, value]) => [key, value * kSms])),
        concurrent: index === 10 ? { wait: 300 } : {},
        producers: [...toy.producers[index]]
          .map(([producer, cycles]) => ({
            index: producer,
            pc: 16 * producer,
            opcode: kProgram[producer].text.split(' ')[0],
            line: kProgram[producer].line,
            state: kProgram[producer].state,
            cycles: cycles * kSms,
          }))
          .sort((a, b) => b.cycles - a.cycles),
      };
    })
    .sort((a, b) => total(b.stalls) - total(a.stalls));
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

function series(toy: ToyResult): Json {
  const interval = 64;
  const count = Math.ceil(toy.cycles / interval);
  const found: Record<string, number[]> = {};
  for (const row of toy.rows) {
    const [begin, end, state] = [row[6] as number, row[7] as number, row[8] as string];
    found[state] ??= new Array<number>(count).fill(0);
    for (let at = begin; at < end; ) {
      const place = Math.floor(at / interval);
      const stop = Math.min(end, (place + 1) * interval);
      found[state][place] += (stop - at) * kSms;
      at = stop;
    }
  }
  const of = (f: (i: number) => number) => Array.from({ length: count }, (_, i) => Math.round(f(i)));
  const issued = found.selected;
  return {
    interval_cycles: interval,
    intervals: count,
    states: found,
    counters: {
      l1_sectors: of((i) => issued[i] * 1.1),
      l1_wavefronts: of((i) => issued[i] * 0.4),
      l1_lookups: of((i) => issued[i] * 0.9),
      l1_hits: of((i) => issued[i] * (0.4 + 0.3 * Math.sin(i / 5))),
      shared_wavefronts: of((i) => issued[i] * 0.3),
      l2_sectors: of((i) => issued[i] * 0.3),
      l2_lookups: of((i) => issued[i] * 0.3),
      l2_hits: of((i) => issued[i] * (0.18 + 0.1 * Math.cos(i / 7))),
      dram_read_bytes: of((i) => issued[i] * 1.6 * (1 + Math.sin(i / 4))),
      dram_write_bytes: of((i) => issued[i] * 0.8 * (1 + Math.sin(i / 4))),
    },
  };
}

function ctaRows(toy: ToyResult): number[][] {
  const rows: number[][] = [];
  for (let sm = 0; sm < kSms; ++sm) {
    const skew = 1 + ((sm * 37) % 23) / 100;
    toy.ctas
      .filter((_, i) => sm < 100 || i < toy.ctas.length - 2)
      .forEach((cta) => {
        rows.push([cta.cta * kSms + sm, sm, cta.slot, Math.round(cta.begin * skew), Math.round(cta.end * skew)]);
      });
  }
  return rows;
}

function curve(name: string, x: number[], at: number, f: (x: number) => number): Json {
  return { name, x, warps: x.map(f), at };
}

function view(index: number): Json {
  const roof = (name: string, flops: number, peak: number, intensity: number) => ({
    class: name,
    flops_per_second: flops,
    peak_flops_per_second: peak,
    levels: [
      { level: 'DRAM', bytes_per_second_peak: 3.35e12, intensity: intensity * 4 },
      { level: 'L2', bytes_per_second_peak: 9.4e12, intensity: intensity * 2 },
      { level: 'L1', bytes_per_second_peak: 3.1e13, intensity },
    ],
  });
  return {
    verdict:
      'latency-bound: no unit comes near its peak (L1 is nearest with 46 %); warps spend 38 % of their time ' +
      'in long_scoreboard, waiting for a result from L1TEX (most at line 17: STS.64).',
    units: [
      { name: 'Tensor', pct: 41.2, note: 'of dense peak; pipe busy 64.4 %', deciding_pct: 64.4 },
      { name: 'FP', pct: 12.5, note: '' },
      { name: 'Issue slots', pct: 38.1, note: '' },
      { name: 'L1', pct: 46.3, note: 'its LSU data path' },
      { name: 'Shared memory', pct: 61.7, note: '' },
      { name: 'L2', pct: 22.8, note: '' },
      { name: 'Network', pct: 18.3, note: 'the reply ports of SMs' },
      { name: 'DRAM', pct: 83.9, note: 'reads' },
    ],
    roofs: [roof('fp16_tensor', 2.1e14 / (1 + index), 9.89e14, 40), roof('fp32', 8e12 / (1 + index), 6.7e13, 1.5)],
    links: [
      { from: 'SM', to: 'Shared', read_bytes: 4.1e9, write_bytes: 1.2e9, peak_pct: 61.7, hit_pct: null },
      { from: 'SM', to: 'L1', read_bytes: 2.6e9, write_bytes: 0.3e9, peak_pct: 46.3, hit_pct: 61.4 },
      { from: 'L1', to: 'L2', read_bytes: 1.1e9, write_bytes: 0.3e9, peak_pct: 22.8, hit_pct: 72.9 },
      { from: 'L2', to: 'L2 far half', read_bytes: 0.4e9, write_bytes: 0.05e9, peak_pct: 12.4, hit_pct: 48 },
      { from: 'L2', to: 'DRAM', read_bytes: 0.31e9, write_bytes: 0.2e9, peak_pct: 83.9, hit_pct: null },
    ],
    occupancy: {
      theoretical_pct: 31.3,
      achieved_pct: 27.9,
      limiters: ['registers'],
      curves: [
        curve('registers a thread', [32, 64, 96, 128, 160, 192, 224, 255], 96, (x) =>
          Math.min(64, 4 * Math.floor(2048 / x / 4)),
        ),
        curve('threads a CTA', [32, 64, 128, 256, 512, 1024], 128, (x) => Math.min(20, x)),
        curve('shared memory a CTA (bytes)', [0, 16384, 32768, 65536, 131072, 232448], 32768, (x) =>
          Math.min(20, 4 * Math.floor(232448 / Math.max(x, 1))),
        ),
      ],
    },
    findings: [
      {
        id: 'uncoalesced',
        title: 'A load touches 32 sectors a request',
        index: 4,
        line: 15,
        evidence: 'LDG.E R6 at line 15: each lane reads a sector of its own, of which it uses 4 of 32 bytes.',
        change: 'Let neighbouring lanes read neighbouring words.',
        gain_pct: 21.4,
        simulated: true,
      },
      {
        id: 'conflicts',
        title: 'Shared memory has bank conflicts',
        index: 8,
        line: 21,
        evidence: 'LDS R10 at line 21 takes 4 wavefronts a request; 1 would do.',
        change: 'Pad the rows of the tile by one word.',
        gain_pct: 6.3,
        simulated: false,
      },
      {
        id: 'tail',
        title: 'The last wave fills 24 % of the SMs',
        index: null,
        line: null,
        evidence: '5.24 waves: for the last 16 % of the time most SMs have no CTA.',
        change: 'Use smaller CTAs, or a persistent kernel.',
        gain_pct: null,
        simulated: false,
      },
    ],
    instructions: kProgram.map((item, i) => ({ index: i, pipe: item.pipe, queue: item.queue })),
  };
}

function kernel(toy: ToyResult, options: Options, index: number): Json {
  const speed = options.speed ?? 1;
  const cycles = Math.round((toy.cycles * 1.22) / speed);
  const stalls: Record<string, number> = {};
  for (const row of toy.stalls) {
    for (const [key, value] of Object.entries(row)) {
      stalls[key] = (stalls[key] ?? 0) + value * kSms;
    }
  }
  return {
    name: options.name ?? (index === 0 ? 'gemm_tiled<float, 128, 64>' : `reduce_rows_${index}`),
    grid: [48, 44, 1],
    block: [128, 1, 1],
    registers_per_thread: 96,
    shared_bytes_per_cta: 32768,
    simulated_ctas: 2112,
    cycles,
    time_us: cycles / 1830,
    launch_us: 2.4,
    warp_instructions: stalls.selected,
    thread_instructions: stalls.selected * 30,
    ipc_active: 1.63 * speed,
    bound: 'latency',
    verdict: 'latency-bound',
    waves: 5.24,
    warp_cycles: total(stalls),
    stalls,
    occupancy: {
      theoretical_pct: 31.3,
      achieved_pct: 27.9,
      ctas_per_sm: 5,
      warps_per_cta: 4,
      max_warps_per_sm: 64,
      limiters: ['registers'],
      limits: { warps: 16, registers: 5, shared_mem: 6, blocks: 32, barriers: 64 },
    },
    throughput: {
      sm_pct: 41.2 * speed,
      memory_pct: 61.7,
      l1_pct: 46.3,
      shared_pct: 61.7,
      l2_pct: 22.8 * speed,
      dram_pct: 83.9,
      tensor_pct: 41.2 * speed,
      dram_gbs: 2810,
    },
    memory: {
      l1: { sectors: 1000, hits: 614 },
      l2: { sectors: 386, hits: 281 },
      dram: { read_bytes: 3.1e8, write_bytes: 2e8 },
    },
    hotspots: hotspots(toy),
    sm_active_cycles: Array.from({ length: kSms }, (_, sm) => Math.round(cycles * (0.78 + ((sm * 37) % 23) / 105))),
    ...(options.recorded === false
      ? {}
      : {
          series: series(toy),
          ctas: { total: 2112, rows: ctaRows(toy) },
          sms: {
            ctas: Array.from({ length: kSms }, (_, sm) => (sm < 100 ? 16 : 14)),
            warp_instructions: Array.from({ length: kSms }, (_, sm) => 4000 + ((sm * 53) % 17) * 20),
          },
        }),
  };
}

export function result(options: Options = {}): Json {
  const toy = new ToySm(options.slots ?? 5, options.ctas ?? 16, 0).run();
  const kernels = options.kernels ?? 2;
  return {
    schema: 'gpusim.result/1',
    version: '0.3.0',
    complete: true,
    arch: { name: 'H100 SXM5 80GB', path: 'h100' },
    trace: { path: 'gemm_tiled.trace', origin: 'program', title: 'C = A B, tiles in shared memory' },
    cache_state: 'warm',
    clock_mhz: 1830,
    memory_clock_mhz: 2619,
    machine: {
      sms: kSms,
      sub_cores_per_sm: 4,
      dram_bytes_per_second: 3.35e12,
      l2_bytes_per_cycle: 5120,
      l1_bytes_per_cycle: 128,
      shared_bytes_per_cycle: 128,
    },
    parameters: { m: 4096, n: 4096, k: 4096, type: 'f16' },
    warnings: ['8 of 2,112 CTAs were simulated twice because of a launch larger than the cache.'],
    guesses: [
      { key: 'clocks.sm', value: '1.83 GHz', kind: 'guess', source: 'sustained clocks depend on power' },
      { key: 'sm.lsu.queue_entries', value: '5', kind: 'inferred', source: 'a queue of four and a latch, on GA102' },
      { key: 'noc.sm_to_gpc_latency', value: '50 cycles', kind: 'guess', source: 'split of end-to-end latencies' },
    ],
    kernels: Array.from({ length: kernels }, (_, i) =>
      kernel(toy, i === 0 ? options : { ...options, name: undefined }, i),
    ),
    ...(options.recorded === false
      ? {}
      : {
          watch: { columns: kRowColumns, rows: toy.rows },
        }),
  };
}

function viewsOf(count: number): Json {
  return { states: states(), kernels: Array.from({ length: count }, (_, i) => view(i)) };
}

export function runPage(options: Options = {}): Json {
  return {
    schema: 'gpusim.page/1',
    kind: 'run',
    version: '0.3.0',
    ...runOf(result(options)),
    view: viewsOf(options.kernels ?? 2),
  };
}

/** A page that the program wrote; tests/make_comparison.mjs says what it compares. */
function written(file: string): Json {
  const packed = readFileSync(path.join(process.cwd(), 'tests', 'data', file), 'utf8');
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')) as Json;
}

export const comparePage = (): Json => written('comparison.b64');
export const partPage = (): Json => written('part.b64');
