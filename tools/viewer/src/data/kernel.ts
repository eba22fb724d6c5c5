// SPDX-License-Identifier: MIT
// A kernel of a result, joined with what its report derived.
import { arr, counts, num, numOrNull, nums, obj, str, strs, sum } from './read';
import type {
  Counts,
  CtaRow,
  Curve,
  Finding,
  Instruction,
  Kernel,
  Link,
  Occupancy,
  Producer,
  Raw,
  Roof,
  Series,
  Unit,
} from './types';

function readProducer(value: unknown): Producer {
  const raw = obj(value);
  return {
    index: num(raw.index, -1),
    line: num(raw.line),
    opcode: str(raw.opcode),
    state: str(raw.state),
    cycles: num(raw.cycles),
  };
}

function readInstruction(value: unknown, place: number): Instruction {
  const raw = obj(value);
  const stalls = counts(raw.stalls);
  return {
    index: num(raw.index, place),
    line: num(raw.line),
    opcode: str(raw.opcode),
    text: str(raw.text, str(raw.opcode)),
    executions: num(raw.warp_instructions),
    threads: num(raw.thread_instructions),
    activeLanes: num(raw.active_lanes),
    divergent: num(raw.divergent_branches),
    requests: num(raw.memory_requests),
    sectors: num(raw.memory_sectors),
    wavefronts: num(raw.shared_wavefronts),
    idealWavefronts: num(raw.shared_ideal_wavefronts),
    stalls,
    cycles: sum(Object.values(stalls)),
    concurrent: counts(raw.concurrent),
    producers: arr(raw.producers).map(readProducer),
  };
}

function columns(value: unknown): Record<string, number[]> {
  const result = Object.create(null) as Record<string, number[]>;
  for (const [key, list] of Object.entries(obj(value))) {
    result[key] = nums(list);
  }
  return result;
}

function readSeries(value: unknown, cycles: number): Series | null {
  const raw = obj(value);
  const interval = num(raw.interval_cycles);
  const states = columns(raw.states);
  const counters = columns(raw.counters);
  const count = Math.max(0, ...[...Object.values(states), ...Object.values(counters)].map((list) => list.length));
  if (interval <= 0 || count === 0) {
    return null;
  }
  const ends = Float64Array.from({ length: count }, (_, i) => (i + 1) * interval);
  if (cycles > (count - 1) * interval) {
    ends[count - 1] = Math.min(cycles, count * interval);
  }
  return { interval, count, ends, states, counters };
}

function readCtas(value: unknown, all: number): { total: number; rows: CtaRow[] } | null {
  const raw = obj(value);
  const rows = arr(raw.rows)
    .map((item) => {
      const [cta, sm, slot, begin, end] = nums(item);
      return { cta, sm, slot, begin, end };
    })
    .filter((row) => row.end >= row.begin);
  return rows.length > 0 ? { total: num(raw.total, Math.max(all, rows.length)), rows } : null;
}

function readCurve(value: unknown): Curve {
  const raw = obj(value);
  return { name: str(raw.name), x: nums(raw.x), warps: nums(raw.warps), at: num(raw.at) };
}

function readOccupancy(result: Raw, view: Raw): Occupancy {
  return {
    theoreticalPct: num(view.theoretical_pct, num(result.theoretical_pct)),
    achievedPct: num(view.achieved_pct, num(result.achieved_pct)),
    ctasPerSm: num(result.ctas_per_sm),
    warpsPerCta: num(result.warps_per_cta),
    maxWarps: num(result.max_warps_per_sm, 64),
    limiters: strs(view.limiters ?? result.limiters),
    limits: counts(result.limits),
    curves: arr(view.curves)
      .map(readCurve)
      .filter((curve) => curve.x.length > 0),
  };
}

function readRoof(value: unknown): Roof {
  const raw = obj(value);
  return {
    class: str(raw.class),
    flops: num(raw.flops_per_second),
    peak: num(raw.peak_flops_per_second),
    levels: arr(raw.levels).map((item) => {
      const level = obj(item);
      return {
        level: str(level.level),
        bytesPerSecond: num(level.bytes_per_second_peak),
        intensity: numOrNull(level.intensity),
      };
    }),
  };
}

function readLink(value: unknown): Link {
  const raw = obj(value);
  return {
    from: str(raw.from),
    to: str(raw.to),
    read: num(raw.read_bytes),
    write: num(raw.write_bytes),
    peakPct: numOrNull(raw.peak_pct),
    hitPct: numOrNull(raw.hit_pct),
  };
}

function readFinding(value: unknown): Finding {
  const raw = obj(value);
  return {
    id: str(raw.id),
    title: str(raw.title),
    evidence: str(raw.evidence),
    line: numOrNull(raw.line),
    index: numOrNull(raw.index),
    change: str(raw.change),
    gainPct: numOrNull(raw.gain_pct),
    simulated: raw.simulated === true,
  };
}

const kThroughputUnits: [string, string][] = [
  ['tensor_pct', 'Tensor'],
  ['fp_pct', 'FP'],
  ['issue_pct', 'Issue slots'],
  ['l1_pct', 'L1'],
  ['shared_pct', 'Shared memory'],
  ['l2_pct', 'L2'],
  ['noc_pct', 'Network'],
  ['dram_pct', 'DRAM'],
  ['dram_rows_pct', 'DRAM rows'],
];

function readUnits(value: unknown, throughput: Counts): Unit[] {
  const given = arr(value).map((item) => {
    const raw = obj(item);
    const own = num(raw.pct);
    return {
      name: str(raw.name),
      pct: own,
      note: str(raw.note),
      decidingPct: num(raw.deciding_pct, own),
      bounds: raw.bounds === true,
    };
  });
  if (given.length > 0) {
    return given;
  }
  return kThroughputUnits
    .filter(([key]) => key in throughput)
    .map(([key, name]) => ({
      name,
      pct: throughput[key],
      note: '',
      decidingPct: throughput[key],
      bounds: false,
    }));
}

function readPipes(value: unknown): Kernel['pipes'] {
  const pipes: Kernel['pipes'] = new Map();
  for (const item of arr(value)) {
    const raw = obj(item);
    pipes.set(num(raw.index, -1), { pipe: str(raw.pipe), queue: str(raw.queue) || null });
  }
  return pipes;
}

function codeReader(hotspots: unknown[]): () => Instruction[] {
  let code: Instruction[] | null = null;
  return () => {
    code ??= hotspots.map(readInstruction).sort((a, b) => a.index - b.index);
    return code;
  };
}

export function readKernel(raw: Raw, view: Raw, index: number): Kernel {
  const cycles = num(raw.cycles);
  const stalls = counts(raw.stalls);
  const throughput = counts(raw.throughput);
  const sms = obj(raw.sms);
  return {
    index,
    name: str(raw.name).trim() || `kernel ${index}`,
    grid: nums(raw.grid),
    block: nums(raw.block),
    cycles,
    timeUs: num(raw.time_us),
    launchUs: num(raw.launch_us),
    instructions: num(raw.warp_instructions),
    ipc: num(raw.ipc_active),
    bound: str(raw.bound),
    verdict: str(view.verdict, str(raw.verdict)),
    registers: num(raw.registers_per_thread),
    sharedBytes: num(raw.shared_bytes_per_cta),
    simulatedCtas: num(raw.simulated_ctas),
    waves: num(raw.waves),
    warpCycles: num(raw.warp_cycles, sum(Object.values(stalls))),
    stalls,
    throughput,
    occupancy: readOccupancy(obj(raw.occupancy), obj(view.occupancy)),
    units: readUnits(view.units, throughput),
    roofs: arr(raw.roofs ?? view.roofs)
      .map(readRoof)
      .filter((roof) => roof.peak > 0),
    links: arr(view.links).map(readLink),
    findings: arr(raw.findings ?? view.findings).map(readFinding),
    series: readSeries(raw.series, cycles),
    ctas: readCtas(raw.ctas, num(raw.simulated_ctas)),
    smActiveCycles: nums(sms.active_cycles ?? raw.sm_active_cycles),
    smCtas: nums(sms.ctas),
    smInstructions: nums(sms.warp_instructions),
    pipes: readPipes(view.instructions),
    code: codeReader(arr(raw.hotspots)),
    detailsLeftOut: view.details_left_out === true,
    raw,
  };
}
