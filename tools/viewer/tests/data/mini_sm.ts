// SPDX-License-Identifier: MIT
// A toy SM that makes test data: consistent intervals of warps, with barriers, a busy pipe, and warps that diverge.
// Nothing here is a model of a GPU; only the shape of the data is right.
import type { WatchRow } from './pack';

export interface ToyInstruction {
  text: string;
  line: number;
  pipe: string;
  queue: string | null;
  /** Cycles until the result is there, and which warps wait how. */
  latency: number;
  state: string;
  lanes: number;
  requests?: number;
  sectors?: number;
  conflicts?: number;
}

const kAll = 0xffffffff;
const kLow = 0x0000ffff;
const kHigh = 0xffff0000;

function op(text: string, line: number, pipe: string, latency: number, state: string, more = {}): ToyInstruction {
  return { text, line, pipe, queue: null, latency, state, lanes: kAll, ...more };
}

export const kProgram: ToyInstruction[] = [
  op('MOV R1, c[0x0][0x28]', 10, 'alu', 6, 'wait'),
  op('S2R R0, SR_TID.X', 11, 'lsu', 24, 'short_scoreboard', { queue: 'MIO queue' }),
  op('IMAD.WIDE R2, R0, 0x4, R8', 12, 'fma', 5, 'wait'),
  op('LDG.E.64 R4, [R2.64]', 14, 'lsu', 190, 'long_scoreboard', { queue: 'LG queue', requests: 1, sectors: 8 }),
  op('LDG.E R6, [R8.64]', 15, 'lsu', 240, 'long_scoreboard', { queue: 'LG queue', requests: 1, sectors: 32 }),
  op('STS.64 [R20], R4', 17, 'lsu', 4, 'mio_throttle', { queue: 'MIO queue', conflicts: 1 }),
  op('STS [R22], R6', 18, 'lsu', 4, 'mio_throttle', { queue: 'MIO queue' }),
  op('BAR.SYNC.DEFER_BLOCKING 0x0', 19, 'none', 8, 'wait'),
  op('LDS R10, [R24]', 21, 'lsu', 30, 'short_scoreboard', { queue: 'MIO queue', conflicts: 3 }),
  op('LDS.128 R12, [R26]', 22, 'lsu', 36, 'short_scoreboard', { queue: 'MIO queue' }),
  op('FFMA R30, R10, R12, R30', 23, 'fma', 4, 'wait'),
  op('FFMA R31, R10, R13, R30', 23, 'fma', 4, 'wait'),
  op('HMMA.16816.F32 R40, R12, R10, R40', 25, 'tensor', 3, 'wait'),
  op('HMMA.16816.F32 R44, R12, R10, R44', 25, 'tensor', 3, 'wait'),
  op('ISETP.GE.AND P0, PT, R0, 0x10, PT', 27, 'alu', 6, 'wait'),
  op('@P0 BRA 0x140', 28, 'cbu', 10, 'branch_resolving'),
  op('FADD R33, R33, R30', 29, 'fma', 4, 'wait', { lanes: kLow }),
  op('MUFU.RCP R34, R33', 30, 'xu', 22, 'short_scoreboard', { lanes: kLow, queue: 'MIO queue' }),
  op('FMUL R33, R33, R31', 32, 'fma', 4, 'wait', { lanes: kHigh }),
  op('BSYNC B0', 33, 'cbu', 8, 'branch_resolving'),
  op('IADD3 R2, R2, 0x80, RZ', 35, 'alu', 4, 'wait'),
  op('BRA 0x30', 36, 'cbu', 10, 'branch_resolving'),
  op('STG.E [R50.64], R30', 38, 'lsu', 6, 'lg_throttle', { queue: 'LG queue', requests: 1, sectors: 4 }),
  op('EXIT', 39, 'none', 60, 'drain'),
];

/** Whose result an instruction needs, by index. */
const kNeeds: Record<number, number[]> = {
  2: [1],
  3: [2],
  5: [3],
  6: [4],
  8: [],
  10: [8, 9],
  11: [10],
  12: [9],
  16: [11],
  17: [16],
  18: [11],
  19: [17],
  22: [11],
};
const kLoop = { first: 3, last: 21, times: 3 };
const kTensorBusy = 4;

interface Warp {
  cta: number;
  warp: number;
  slot: number;
  subCore: number;
  at: number;
  turn: number;
  ready: number;
  reason: string;
  producer: number | null;
  results: Map<number, number>;
  arrived: boolean;
  open: WatchRow | null;
}

export interface ToyResult {
  rows: WatchRow[];
  cycles: number;
  /** By instruction: warp-cycles a state. */
  stalls: Record<string, number>[];
  producers: Map<number, number>[];
  issued: number[];
  /** CTAs with begin and end. */
  ctas: { cta: number; slot: number; begin: number; end: number }[];
}

export class ToySm {
  private readonly warps: Warp[] = [];
  private readonly tensorFree = [0, 0, 0, 0];
  private readonly result: ToyResult = {
    rows: [],
    cycles: 0,
    ctas: [],
    stalls: kProgram.map(() => ({})),
    producers: kProgram.map(() => new Map<number, number>()),
    issued: kProgram.map(() => 0),
  };
  private next = 0;
  private now = 0;

  constructor(
    private readonly slots: number,
    private readonly total: number,
    private readonly sm: number,
  ) {}

  run(): ToyResult {
    for (let slot = 0; slot < this.slots; ++slot) {
      this.start(slot);
    }
    for (; this.warps.length > 0; ++this.now) {
      for (let subCore = 0; subCore < 4; ++subCore) {
        this.step(this.warps.filter((warp) => warp.subCore === subCore));
      }
    }
    this.result.cycles = this.now;
    this.result.rows.sort(
      (a, b) =>
        (a[2] as number) - (b[2] as number) ||
        (a[3] as number) - (b[3] as number) ||
        (a[6] as number) - (b[6] as number),
    );
    return this.result;
  }

  private start(slot: number): void {
    if (this.next >= this.total) {
      return;
    }
    const cta = this.next++;
    this.result.ctas.push({ cta, slot, begin: this.now, end: this.now });
    for (let warp = 0; warp < 4; ++warp) {
      this.warps.push({
        cta,
        warp,
        slot,
        subCore: warp,
        at: 0,
        turn: 0,
        ready: this.now + 3 + 2 * warp + slot,
        reason: 'no_instruction',
        producer: null,
        results: new Map(),
        arrived: false,
        open: null,
      });
    }
  }

  private stateOf(warp: Warp): [string, number | null] {
    if (this.now < warp.ready) {
      return [warp.reason, warp.producer];
    }
    if (warp.arrived && this.warps.some((other) => other.cta === warp.cta && !other.arrived)) {
      return ['barrier', null];
    }
    for (const need of kNeeds[warp.at] ?? []) {
      if ((warp.results.get(need) ?? 0) > this.now) {
        return [kProgram[need].state, need];
      }
    }
    if (kProgram[warp.at].pipe === 'tensor' && this.tensorFree[warp.subCore] > this.now) {
      return ['math_pipe_throttle', null];
    }
    return ['eligible', null];
  }

  private step(warps: Warp[]): void {
    let issued = false;
    for (const warp of warps) {
      let [state, producer] = this.stateOf(warp);
      if (state === 'eligible') {
        state = issued ? 'not_selected' : 'selected';
        producer = null;
        issued = true;
      }
      this.record(warp, state, producer);
      if (state === 'selected') {
        this.issue(warp);
      }
    }
  }

  private record(warp: Warp, state: string, producer: number | null): void {
    const { lanes } = kProgram[warp.at];
    const stalls = this.result.stalls[warp.at];
    stalls[state] = (stalls[state] ?? 0) + 1;
    if (producer !== null) {
      const list = this.result.producers[warp.at];
      list.set(producer, (list.get(producer) ?? 0) + 1);
    }
    const { open } = warp;
    if (open !== null && open[8] === state && open[9] === warp.at && open[12] === producer && state !== 'selected') {
      open[7] = this.now + 1;
      return;
    }
    warp.open = [
      0,
      this.sm,
      warp.subCore,
      warp.slot,
      warp.cta,
      warp.warp,
      this.now,
      this.now + 1,
      state,
      warp.at,
      lanes,
      lanes,
      producer,
    ];
    this.result.rows.push(warp.open);
  }

  private issue(warp: Warp): void {
    const done = warp.at;
    const instruction = kProgram[done];
    ++this.result.issued[done];
    warp.results.set(done, this.now + instruction.latency + ((warp.cta * 7 + done * 3) % 11));
    if (done === kProgram.length - 1) {
      this.exit(warp);
      return;
    }
    if (instruction.pipe === 'tensor') {
      this.tensorFree[warp.subCore] = this.now + kTensorBusy;
    }
    warp.arrived = instruction.text.startsWith('BAR');
    if (warp.arrived && this.warps.every((other) => other.cta !== warp.cta || other.arrived)) {
      this.warps
        .filter((other) => other.cta === warp.cta)
        .forEach((other) => {
          other.arrived = false;
        });
    }
    const again = done === kLoop.last && ++warp.turn < kLoop.times;
    warp.at = again ? kLoop.first : done + 1;
    const fixed =
      instruction.pipe === 'cbu' || instruction.state === 'mio_throttle' || instruction.state === 'lg_throttle';
    warp.ready = this.now + (fixed ? instruction.latency : 1);
    warp.reason = instruction.state;
    warp.producer = null;
  }

  private exit(warp: Warp): void {
    this.warps.splice(this.warps.indexOf(warp), 1);
    if (this.warps.every((other) => other.cta !== warp.cta)) {
      const cta = this.result.ctas.find((item) => item.cta === warp.cta);
      if (cta) {
        cta.end = this.now + 1;
      }
      this.start(warp.slot);
    }
  }
}
