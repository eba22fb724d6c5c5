// SPDX-License-Identifier: MIT
// The recorded intervals of warps, from packed columns (docs/reports.md) to typed arrays: two million of them fit, and
// a search stays quick.
import { arr, num, nums, obj, strs } from './read';
import { unknownState } from './states';
import type { StateInfo, Watch } from './types';

const kColumns = ['gap', 'cycles', 'state', 'index', 'producer', 'lanes', 'lanes_on', 'cta', 'warp'] as const;
type Columns = Record<(typeof kColumns)[number], unknown[]>;
const kUnknown = 255;

function emptyWatch(count: number): Watch {
  return {
    count,
    cta: new Float64Array(count),
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

/** Null unless each column has `count` values. */
function readColumns(value: unknown, count: number): Columns | null {
  const raw = obj(value);
  const columns = Object.fromEntries(kColumns.map((name) => [name, arr(raw[name])])) as Columns;
  return kColumns.every((name) => columns[name].length === count) ? columns : null;
}

/** Places in `states` of the named ones; a name that is new there is added. */
function placesOf(names: string[], states: StateInfo[]): number[] {
  return names.map((key) => {
    let place = states.findIndex((state) => state.key === key);
    if (place < 0) {
      place = Math.min(states.length, kUnknown);
      if (place < kUnknown) {
        states.push({ ...unknownState(key), what: key });
      }
    }
    return place;
  });
}

/** Unpacks the intervals [from, to) of one warp slot; each column starts anew there. */
function unpack(columns: Columns, places: number[], watch: Watch, from: number, to: number): void {
  let [at, index, lanes, cta, warp] = [0, 0, 0, 0, 0];
  for (let i = from; i < to; ++i) {
    at += num(columns.gap[i]);
    watch.begin[i] = at;
    at += num(columns.cycles[i]);
    watch.end[i] = at;
    watch.state[i] = places[num(columns.state[i])] ?? kUnknown;
    index += num(columns.index[i]);
    watch.index[i] = index;
    const back = num(columns.producer[i]);
    watch.producer[i] = back === 0 ? -1 : index - (back > 0 ? back : back + 1);
    lanes ^= num(columns.lanes[i]);
    watch.lanes[i] = lanes;
    watch.lanesOn[i] = lanes ^ num(columns.lanes_on[i]);
    cta += num(columns.cta[i]);
    watch.cta[i] = cta;
    warp += num(columns.warp[i]);
    watch.warp[i] = warp;
  }
}

/** Null where nothing was recorded, or where the columns do not fit together. */
export function readWatch(value: unknown, states: StateInfo[]): Watch | null {
  const raw = obj(value);
  const tracks = arr(raw.tracks).map(nums);
  const count = tracks.reduce((all, track) => all + Math.max(0, track[4] ?? 0), 0);
  const columns = count > 0 ? readColumns(raw.columns, count) : null;
  if (columns === null) {
    return null;
  }
  const watch = emptyWatch(count);
  const places = placesOf(strs(raw.states), states);
  let from = 0;
  for (const [kernel, sm, subCore, slot, intervals] of tracks) {
    const to = from + Math.max(0, intervals);
    watch.tracks.push({ kernel, sm, subCore, slot, from, to });
    unpack(columns, places, watch, from, to);
    from = to;
  }
  return watch;
}
