// SPDX-License-Identifier: MIT
// Bars made of warp states.
import type { Counts, StateInfo } from '../data/types';
import { plain, share } from '../model/format';
import { s } from './dom';
import { stateColour } from './palette';
import { tip } from './tooltip';

/** A bar of `width` pixels for `most` cycles, stacked by state; issuing comes first. */
export function stateBar(states: StateInfo[], cycles: Counts, most: number, width: number, height: number): SVGElement {
  const bar = s('svg', {
    class: 'state-bar',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'aria-hidden': 'true',
    preserveAspectRatio: 'none',
  });
  let at = 0;
  let total = 0;
  const lines: [number, string][] = [];
  for (const state of [...states].reverse()) {
    const value = cycles[state.key] ?? 0;
    if (value > 0) {
      const wide = (width * value) / Math.max(1, most);
      bar.append(
        s('rect', {
          x: at.toFixed(2),
          y: 0,
          width: Math.max(0.3, wide).toFixed(2),
          height,
          style: { fill: stateColour(state.key) },
        }),
      );
      at += wide;
      total += value;
      lines.push([value, state.label]);
    }
  }
  tip(bar, () =>
    lines
      .sort((a, b) => b[0] - a[0])
      .slice(0, 8)
      .map(([value, label]) => `${label}: ${plain(value)} warp-cycles, ${share(value, total)}`),
  );
  return bar;
}

/** States that have cycles, most first. */
export function topStates(states: StateInfo[], cycles: Counts): { state: StateInfo; cycles: number }[] {
  return states
    .map((state) => ({ state, cycles: cycles[state.key] ?? 0 }))
    .filter((row) => row.cycles > 0)
    .sort((a, b) => b.cycles - a.cycles);
}
