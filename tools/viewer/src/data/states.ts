// SPDX-License-Identifier: MIT
// Warp states: their names and letters. A page brings its own table of names; the one here stands in for results that
// lack it.
import { arr, obj, str } from './read';
import type { StateInfo } from './types';

interface Known {
  label: string;
  what: string;
  glyph: string;
}

const kKnown: Record<string, Known> = {
  drain: { label: 'Stall Drain', what: 'stores to finish after EXIT', glyph: 'D' },
  sleeping: { label: 'Stall Sleeping', what: 'a NANOSLEEP timer', glyph: 'z' },
  barrier: { label: 'Stall Barrier', what: 'sibling warps at a barrier', glyph: 'B' },
  membar: { label: 'Stall Membar', what: 'a memory fence', glyph: 'F' },
  gmma: { label: 'Stall GMMA', what: 'a warpgroup matrix operation', glyph: 'G' },
  no_instruction: { label: 'Stall No Instruction', what: 'instruction fetch', glyph: 'I' },
  branch_resolving: { label: 'Stall Branch Resolving', what: 'a branch target', glyph: 'b' },
  imc_miss: { label: 'Stall IMC Miss', what: 'an immediate constant', glyph: 'c' },
  long_scoreboard: {
    label: 'Stall Long Scoreboard',
    what: 'a result from L1TEX: global, local',
    glyph: 'L',
  },
  short_scoreboard: {
    label: 'Stall Short Scoreboard',
    what: 'a result from the MIO: shared memory, XU, shuffle',
    glyph: 'S',
  },
  wait: { label: 'Stall Wait', what: 'a fixed-latency result', glyph: 'w' },
  dispatch_stall: {
    label: 'Stall Dispatch',
    what: 'a register-port conflict to clear',
    glyph: 'd',
  },
  lg_throttle: { label: 'Stall LG Throttle', what: "room in L1's local/global queue", glyph: 'g' },
  tex_throttle: { label: 'Stall Tex Throttle', what: 'room in the texture queue', glyph: 't' },
  mio_throttle: { label: 'Stall MIO Throttle', what: 'room in the MIO queue', glyph: 'm' },
  math_pipe_throttle: {
    label: 'Stall Math Pipe Throttle',
    what: "a math pipe's input",
    glyph: 'p',
  },
  misc: { label: 'Stall Misc', what: 'nothing known', glyph: '?' },
  not_selected: {
    label: 'Stall Not Selected',
    what: 'its turn: eligible, but another warp issued',
    glyph: '.',
  },
  selected: { label: 'Selected', what: 'nothing: it issued', glyph: 'X' },
};

/** The table of the page, in its order of precedence, or the known one. */
export function readStates(value: unknown): StateInfo[] {
  const rows = arr(value).map((item) => {
    const raw = obj(item);
    return { key: str(raw.key), label: str(raw.label), what: str(raw.what), remedy: str(raw.remedy) };
  });
  const given = rows.filter((row) => row.key !== '').slice(0, 255);
  if (given.length > 0) {
    return given.map((row) => ({ ...row, label: nameOf(row.label || row.key) }));
  }
  return Object.entries(kKnown).map(([key, known]) => ({
    key,
    label: nameOf(known.label),
    what: known.what,
    remedy: '',
  }));
}

export function stateGlyph(key: string): string {
  return Object.hasOwn(kKnown, key) ? kKnown[key].glyph : key.slice(0, 1);
}

/** "Stall Long Scoreboard" as "Long Scoreboard": what the page calls a state everywhere. */
function nameOf(label: string): string {
  return label.replace(/^Stall /, '');
}

export function stateName(states: StateInfo[], key: string): string {
  return states.find((state) => state.key === key)?.label ?? key;
}

/** A sentence of the program with the names of states that tables have: "in mio_throttle" as "in MIO Throttle". */
export function withNames(text: string, states: StateInfo[]): string {
  return states.reduce((result, { key, label }) => {
    // A key of one word is a name only where a sentence names states: "in wait, waiting for", "(wait)".
    const places = key.includes('_')
      ? new RegExp(`(?<![\\w.])${key}(?![\\w.]\\w)`, 'g')
      : new RegExp(`(?<=\\()${key}(?=\\))|(?<=\\bin )${key}(?=, waiting )`, 'g');
    return /^\w+$/.test(key) ? result.replace(places, () => label) : result;
  }, text);
}
