// SPDX-License-Identifier: MIT
// The recorded intervals of warps, from rows to columns: two million of them fit, and a search stays quick.
import { arr, num, obj, strs } from './read';
import type { StateInfo, Track, Watch } from './types';

const kColumns = [
  'kernel',
  'sm',
  'sub_core',
  'warp_slot',
  'cta',
  'warp',
  'begin',
  'end',
  'state',
  'index',
  'lanes',
  'lanes_on',
  'producer',
] as const;
type Column = (typeof kColumns)[number];

/** Places of the rows, ordered by track and time; the program writes them so, but nothing relies on it. */
function orderOf(rows: unknown[][], at: Record<Column, number>): Uint32Array | null {
  const keys: Column[] = ['kernel', 'sm', 'sub_core', 'warp_slot', 'begin'];
  const places = keys.map((key) => at[key]);
  const compare = (a: number, b: number) => {
    for (const place of places) {
      const difference = num(rows[a][place]) - num(rows[b][place]);
      if (difference !== 0) {
        return difference;
      }
    }
    return a - b;
  };
  let sorted = true;
  for (let i = 1; i < rows.length && sorted; ++i) {
    sorted = compare(i - 1, i) < 0;
  }
  return sorted ? null : Uint32Array.from(rows, (_, i) => i).sort(compare);
}

function emptyWatch(count: number): Watch {
  return {
    count,
    cta: new Int32Array(count),
    warp: new Int32Array(count),
    begin: new Float64Array(count),
    end: new Float64Array(count),
    state: new Uint8Array(count),
    index: new Int32Array(count),
    lanes: new Uint32Array(count),
    lanesOn: new Uint32Array(count),
    producer: new Int32Array(count),
    tracks: [],
  };
}

/** Null where nothing was recorded, or where the columns are not those we know. */
export function readWatch(value: unknown, states: StateInfo[]): Watch | null {
  const raw = obj(value);
  const names = strs(raw.columns);
  const at = Object.fromEntries(kColumns.map((name) => [name, names.indexOf(name)])) as Record<Column, number>;
  const rows = arr(raw.rows).filter((row): row is unknown[] => Array.isArray(row) && row.length >= names.length);
  if (rows.length === 0 || at.begin < 0 || at.end < 0 || at.state < 0) {
    return null;
  }
  const watch = emptyWatch(rows.length);
  const places = new Map(states.map((state, place) => [state.key, place]));
  const order = orderOf(rows, at);
  let track: Track | null = null;
  for (let i = 0; i < rows.length; ++i) {
    const row = rows[order === null ? i : order[i]];
    const field = (name: Column, otherwise = 0) => (at[name] < 0 ? otherwise : num(row[at[name]], otherwise));
    const key = String(row[at.state]);
    let state = places.get(key);
    if (state === undefined) {
      state = Math.min(states.length, 255);
      if (state < 255) {
        states.push({ key, label: key, what: key, remedy: '' });
        places.set(key, state);
      }
    }
    watch.cta[i] = field('cta');
    watch.warp[i] = field('warp');
    watch.begin[i] = field('begin');
    watch.end[i] = field('end');
    watch.state[i] = state;
    watch.index[i] = field('index', -1);
    watch.lanes[i] = field('lanes', 0xffffffff);
    watch.lanesOn[i] = field('lanes_on', watch.lanes[i]);
    watch.producer[i] = field('producer', -1);
    const [kernel, sm, subCore, slot] = [field('kernel'), field('sm'), field('sub_core'), field('warp_slot')];
    if (
      track === null ||
      track.kernel !== kernel ||
      track.sm !== sm ||
      track.subCore !== subCore ||
      track.slot !== slot
    ) {
      track = { kernel, sm, subCore, slot, from: i, to: i };
      watch.tracks.push(track);
    }
    track.to = i + 1;
  }
  return watch;
}
