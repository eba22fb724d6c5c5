// SPDX-License-Identifier: MIT
// Why a warp does not issue in a cycle, in sentences: what it waits for, since when, what releases it, what is in the
// way, and what its sub-core did instead.
import { unknownState } from '../data/states';
import type { Instruction, Kernel, Run, StateInfo, Track, Watch } from '../data/types';
import { plural, whole } from './format';
import { linking, partsOf, ranges, written } from './sass';
import { instructionAt } from './source';
import { before, intervalAt, lanesIn, since, until } from './timeline';

export interface Neighbour {
  track: Track;
  place: number;
  warp: string;
  state: string;
  label: string;
  index: number;
  text: string;
}

export interface Why {
  /** Which warp, and where. */
  who: string;
  sentences: string[];
  /** Index of the instruction that it issues or waits to issue. */
  index: number;
  producer: number | null;
  lanes: number;
  lanesOn: number;
  /** The warps of the sub-core in this cycle, itself included. */
  subCore: Neighbour[];
}

interface Here {
  run: Run;
  kernel: Kernel;
  watch: Watch;
  track: Track;
  cycle: number;
  place: number;
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 120)} ...` : line;
}

/** "instruction 17 (line 9), FFMA R1, R2, R3, R4". */
function named(code: Instruction[], index: number): string {
  const item = instructionAt(code, index);
  if (item === null) {
    return index >= 0 ? `instruction ${index}` : 'its next instruction';
  }
  return `instruction ${index}${item.line > 0 ? ` (line ${item.line})` : ''}, ${cut(item.text)}`;
}

function warpName(watch: Watch, place: number): string {
  return `warp ${watch.warp[place]} of CTA ${watch.cta[place]}`;
}

function stateAt(run: Run, watch: Watch, place: number): StateInfo {
  return run.states[watch.state[place]] ?? { ...unknownState(''), label: 'unknown', what: 'something unknown' };
}

function neighbours({ run, kernel, watch, track, cycle }: Here): Neighbour[] {
  const code = kernel.code();
  return watch.tracks
    .filter((other) => other.kernel === track.kernel && other.sm === track.sm && other.subCore === track.subCore)
    .flatMap((other) => {
      const place = intervalAt(watch, other, cycle);
      if (place < 0) {
        return [];
      }
      const state = stateAt(run, watch, place);
      const item = instructionAt(code, watch.index[place]);
      return [
        {
          track: other,
          place,
          warp: warpName(watch, place),
          state: state.key,
          label: state.label,
          index: watch.index[place],
          text: item === null ? '' : cut(item.text),
        },
      ];
    });
}

function meanwhile(here: Here, others: Neighbour[]): string {
  const { subCore } = here.track;
  const issued = others.find((other) => other.state === 'selected');
  if (issued !== undefined) {
    return `Meanwhile sub-core ${subCore} issued ${named(here.kernel.code(), issued.index)}, of ${issued.warp}.`;
  }
  const rest = others.filter((other) => other.track !== here.track);
  if (rest.length === 0) {
    return `Sub-core ${subCore} issued nothing: it has no other warp.`;
  }
  const counted = new Map<string, number>();
  rest.forEach((other) => counted.set(other.label, (counted.get(other.label) ?? 0) + 1));
  const list = [...counted]
    .sort((a, b) => b[1] - a[1])
    .map(([label, count]) => `${count} in ${label}`)
    .join(', ');
  return `Sub-core ${subCore} issued nothing: its ${plural(rest.length, 'other warp')} cannot issue either (${list}).`;
}

/** The barrier instruction at which the warp stands is the last one that it issued. */
function barrier(here: Here): string[] {
  const { run, kernel, watch, track, cycle, place } = here;
  const code = kernel.code();
  let last = place - 1;
  while (last >= track.from && stateAt(run, watch, last).key !== 'selected') {
    --last;
  }
  const issued = last >= track.from ? instructionAt(code, watch.index[last]) : null;
  const { opcode, operands } = partsOf(issued?.text ?? '');
  const name = opcode.startsWith('BAR')
    ? `barrier ${Number(operands[0] ?? 0) || 0} of CTA ${watch.cta[place]}`
    : `a barrier of CTA ${watch.cta[place]}`;
  const mates = watch.tracks
    .filter((other) => other.kernel === track.kernel && other.sm === track.sm)
    .map((other) => intervalAt(watch, other, cycle))
    .filter((other) => other >= 0 && watch.cta[other] === watch.cta[place]);
  const late = mates.filter((other) => stateAt(run, watch, other).detail !== 'barrier');
  const sentences = [
    `In the way is ${name}: ${mates.length - late.length} of its ${plural(mates.length, 'recorded warp')} ` +
      'stand at it.',
  ];
  if (late.length > 0) {
    const [first] = late;
    sentences.push(
      `The last to come releases it; ${warpName(watch, first)} is still at ` +
        `${named(code, watch.index[first])} (${stateAt(run, watch, first).label}).`,
    );
  }
  return sentences;
}

/** What holds the warp where no producer does: its pipe or queue by name, else what the table of states says. */
function obstacle(here: Here, state: StateInfo): string[] {
  const own = here.kernel.pipes.get(here.watch.index[here.place]);
  if (state.detail === 'barrier') {
    return barrier(here);
  }
  if (state.obstacle === '') {
    return [];
  }
  const named =
    state.detail === 'pipe' && own?.pipe
      ? `the ${own.pipe} pipe`
      : state.detail === 'queue' && own?.queue
        ? `the ${own.queue.replace(/^the /, '')}`
        : state.obstacle;
  return [`In the way: ${named}. What releases the warp: ${state.releaser}.`];
}

function release(here: Here, producer: number): string[] {
  const { kernel, watch, track, place } = here;
  const code = kernel.code();
  const [source, waiting] = [instructionAt(code, producer), instructionAt(code, watch.index[place])];
  const through = ranges(linking(source?.text ?? '', waiting?.text ?? ''));
  const result = ranges(written(source?.text ?? ''));
  const guarded = /\bSB\d+/.exec(waiting?.text ?? '')?.[0];
  const way =
    through !== ''
      ? `In the way is ${through}, which it writes.`
      : guarded !== undefined
        ? `In the way is scoreboard ${guarded}, which it holds.`
        : result !== ''
          ? `It writes ${result}, which this instruction does not read: both use one scoreboard, which waits for all.`
          : 'It holds a scoreboard.';
  return [`Released at cycle ${whole(until(watch, track, place))} by the result of ${named(code, producer)}.`, way];
}

/** Null where the slot holds no warp in this cycle. */
export function why(run: Run, kernel: Kernel, watch: Watch, track: Track, cycle: number): Why | null {
  const place = intervalAt(watch, track, cycle);
  if (place < 0) {
    return null;
  }
  const here: Here = { run, kernel, watch, track, cycle, place };
  const state = stateAt(run, watch, place);
  const code = kernel.code();
  const producer = watch.producer[place] >= 0 ? watch.producer[place] : null;
  const others = neighbours(here);
  const name = warpName(watch, place);
  const who = `${name[0].toUpperCase()}${name.slice(1)}, SM ${track.sm}, sub-core ${track.subCore}, slot ${track.slot}`;
  const waiting = named(code, watch.index[place]);
  const sentences: string[] = [];
  if (state.key === 'selected') {
    sentences.push(`The warp issues ${waiting}.`);
  } else if (state.key === 'not_selected') {
    sentences.push(
      `The warp is ready to issue ${waiting}, since cycle ${whole(since(watch, track, place))}, but it is ` +
        "another warp's turn.",
      meanwhile(here, others),
    );
  } else {
    const from = since(watch, track, place);
    // A warp drains after its EXIT: it issues nothing more.
    const leaves = state.key === 'drain';
    const next = leaves ? `It has issued ${waiting}, its last.` : `It is to issue ${waiting}.`;
    const end = whole(until(watch, track, place));
    sentences.push(
      `The warp waits for ${state.what} (${state.label}), since cycle ${whole(from)}, for ` +
        `${plural(cycle - from + 1, 'cycle')} so far. ${next}`,
    );
    sentences.push(
      ...(producer !== null
        ? release(here, producer)
        : [
            ...obstacle(here, state),
            leaves ? `It then leaves the SM, at cycle ${end}.` : `It goes on at cycle ${end}.`,
          ]),
    );
    sentences.push(meanwhile(here, others));
  }
  const lanes = lanesIn(watch.lanes[place]);
  if (lanes < 32) {
    sentences.push(`The warp has diverged: ${plural(lanes, 'lane')} of 32 ${lanes === 1 ? 'is' : 'are'} on this path.`);
  }
  return {
    who,
    sentences,
    index: watch.index[place],
    producer,
    lanes: watch.lanes[place],
    lanesOn: watch.lanesOn[place],
    subCore: others,
  };
}

/** What to say where a slot is empty. */
export function emptySlot(watch: Watch, track: Track, cycle: number): string {
  const last = before(watch, track, cycle);
  const next = last < 0 ? track.from : last + 1;
  const came = last < 0 ? 'no warp yet' : `no warp since cycle ${whole(watch.end[last])}`;
  const goes = next < track.to ? `; the next comes at cycle ${whole(watch.begin[next])}` : ' and gets no other';
  return `Slot ${track.slot} of sub-core ${track.subCore} has ${came}${goes}.`;
}
