// SPDX-License-Identifier: MIT
// What of an application's timeline is in sight: which activity is at a time, and of many in a pixel which fills it.
import type { Activities, Lane, Stepped } from '../data/application';

/** The first activity of the lane that begins at `time` or later; the lane's end when there is none. */
export function firstFrom(of: Activities, lane: Lane, time: number): number {
  let [low, high] = [lane.from, lane.to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of.begin[middle] < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The activity of the lane at a time; -1 when there is none. Those of a lane follow each other. */
export function activityAt(of: Activities, lane: Lane, time: number): number {
  const next = firstFrom(of, lane, time);
  if (next < lane.to && of.begin[next] === time) {
    return next;
  }
  return next > lane.from && of.end[next - 1] > time ? next - 1 : -1;
}

/** A bar of the picture: one activity, or several that are too narrow to be told apart. */
export interface Bar {
  begin: number;
  end: number;
  kind: number;
  /** Part of the critical path. */
  critical: boolean;
  /** The only activity in it; -1 for several. */
  activity: number;
}

/** Bars from `lo` to `hi`, each at least `least` long. What several share has the kind that takes most of it. */
export function barsOf(of: Activities, lane: Lane, lo: number, hi: number, least: number, kinds: number): Bar[] {
  const bars: Bar[] = [];
  const times = new Float64Array(kinds);
  const start = Math.max(lane.from, firstFrom(of, lane, lo) - 1);
  for (let i = start; i < lane.to && of.begin[i] < hi; ++i) {
    if (of.end[i] <= lo) {
      continue;
    }
    const [begin, end] = [Math.max(lo, of.begin[i]), Math.min(hi, of.end[i])];
    const last = bars[bars.length - 1];
    const narrow = end - begin < least;
    if (last !== undefined && narrow && begin < last.begin + least) {
      if (last.activity >= 0) {
        times.fill(0);
        times[last.kind] = last.end - last.begin;
        last.activity = -1;
      }
      times[of.kind[i]] += end - begin;
      last.kind = times.indexOf(Math.max(...times));
      last.end = Math.max(last.end, end);
      last.critical ||= of.critical[i] !== 0;
      continue;
    }
    bars.push({ begin, end, kind: of.kind[i], critical: of.critical[i] !== 0, activity: i });
  }
  return bars;
}

/** Where values that hold from a time on change, and what they are there; before the first they are 0. */
export function valueAt(of: Stepped, time: number): number {
  let [low, high] = [0, of.at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of.at[middle] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 ? of.values[low - 1] : 0;
}

/** The largest values in `count` equal parts from `lo` to `hi`. */
export function peaks(of: Stepped, lo: number, hi: number, count: number): Float64Array {
  const found = new Float64Array(count);
  const wide = (hi - lo) / count;
  for (let part = 0; part < count; ++part) {
    found[part] = valueAt(of, lo + part * wide);
  }
  for (let i = 0; i < of.at.length; ++i) {
    const part = Math.floor((of.at[i] - lo) / wide);
    if (part >= 0 && part < count) {
      found[part] = Math.max(found[part], of.values[i]);
    }
  }
  return found;
}
