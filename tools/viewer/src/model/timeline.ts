// SPDX-License-Identifier: MIT
// Searching the recorded intervals of a warp slot, stepping through them, and their mix for each pixel.
import type { Track, Watch } from '../data/types';

/** The last interval that begins at or before the cycle; -1 before the first. */
export function before(watch: Watch, track: Track, cycle: number): number {
  let low = track.from;
  let high = track.to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (watch.begin[middle] <= cycle) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > track.from ? low - 1 : -1;
}

/** The interval that holds the cycle; -1 where the slot is empty. */
export function intervalAt(watch: Watch, track: Track, cycle: number): number {
  const place = before(watch, track, cycle);
  return place >= 0 && cycle < watch.end[place] ? place : -1;
}

/** First and last cycle of some tracks, the last one excluded. */
export function extent(watch: Watch, tracks: Track[]): [number, number] {
  let lo = Infinity;
  let hi = 0;
  for (const track of tracks) {
    if (track.to > track.from) {
      lo = Math.min(lo, watch.begin[track.from]);
      hi = Math.max(hi, watch.end[track.to - 1]);
    }
  }
  return lo < hi ? [lo, hi] : [0, 1];
}

/** Where an uninterrupted wait began: intervals of one state and instruction that touch are one wait. */
export function since(watch: Watch, track: Track, place: number): number {
  let first = place;
  while (first > track.from && watch.end[first - 1] === watch.begin[first] && same(watch, first - 1, place)) {
    --first;
  }
  return watch.begin[first];
}

export function until(watch: Watch, track: Track, place: number): number {
  let last = place;
  while (last + 1 < track.to && watch.end[last] === watch.begin[last + 1] && same(watch, last + 1, place)) {
    ++last;
  }
  return watch.end[last];
}

function same(watch: Watch, a: number, b: number): boolean {
  return (
    watch.state[a] === watch.state[b] &&
    watch.index[a] === watch.index[b] &&
    watch.cta[a] === watch.cta[b] &&
    watch.producer[a] === watch.producer[b]
  );
}

/** The begin of the next interval (direction 1) or of this or the one before it (-1); null at the ends. */
export function stepState(watch: Watch, track: Track, cycle: number, direction: 1 | -1): number | null {
  const place = before(watch, track, direction === 1 ? cycle : cycle - 1);
  const next = direction === 1 ? place + 1 : place;
  if (direction === 1 && place < 0) {
    return track.to > track.from ? watch.begin[track.from] : null;
  }
  return next >= track.from && next < track.to ? watch.begin[next] : null;
}

/** The next or last cycle in which the warp issued. */
export function stepIssue(
  watch: Watch,
  track: Track,
  cycle: number,
  direction: 1 | -1,
  selected: number,
): number | null {
  let place = before(watch, track, direction === 1 ? cycle : cycle - 1);
  if (direction === 1) {
    place = place < 0 ? track.from : place + 1;
  }
  for (; place >= track.from && place < track.to; place += direction) {
    if (watch.state[place] === selected) {
      return watch.begin[place];
    }
  }
  return null;
}

export function lanesIn(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest &= rest - 1) {
    ++count;
  }
  return count;
}

export interface Mix {
  /** Cycles by pixel and state: [pixel * states + state]. */
  cycles: Float32Array;
  /** Lane-cycles by pixel. */
  lanes: Float32Array;
}

/** How [lo, hi) in `width` pixels divides among states. */
export function mix(watch: Watch, track: Track, lo: number, hi: number, width: number, states: number): Mix {
  const result = { cycles: new Float32Array(width * states), lanes: new Float32Array(width) };
  const scale = width / (hi - lo);
  for (let i = Math.max(track.from, before(watch, track, lo)); i < track.to && watch.begin[i] < hi; ++i) {
    const from = (Math.max(lo, watch.begin[i]) - lo) * scale;
    const to = (Math.min(hi, watch.end[i]) - lo) * scale;
    if (to <= from) {
      continue;
    }
    const lanes = lanesIn(watch.lanes[i]);
    const state = watch.state[i];
    for (let pixel = Math.floor(from); pixel < to && pixel < width; ++pixel) {
      const part = (Math.min(to, pixel + 1) - Math.max(from, pixel)) / scale;
      result.cycles[pixel * states + state] += part;
      result.lanes[pixel] += part * lanes;
    }
  }
  return result;
}
