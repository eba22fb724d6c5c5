// SPDX-License-Identifier: MIT
// Bars made of warp states.
import type { Counts, StateInfo } from '../data/types';
import { plain, share } from '../model/format';
import { s } from './dom';
import { stateColour } from './palette';
import { hideTip, tip } from './tooltip';

/** Where clicks on the states of a bar lead. */
export interface BarLinks {
  /** In words; empty where a state leads nowhere. */
  where: (state: string) => string;
  follow: (state: string) => void;
}

function follows(part: SVGElement, state: string, links: BarLinks): void {
  part.classList.add('leads');
  part.addEventListener('click', (event) => {
    // What the bar stands in has a use for clicks, too.
    event.stopPropagation();
    hideTip();
    links.follow(state);
  });
}

/** A bar of `width` pixels for `most` cycles, stacked by state; issuing comes first. */
export function stateBar(
  states: StateInfo[],
  cycles: Counts,
  most: number,
  [width, height]: [number, number],
  links?: BarLinks,
): SVGElement {
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
  const lines: [number, string, string][] = [];
  for (const state of [...states].reverse()) {
    const value = cycles[state.key] ?? 0;
    if (value > 0) {
      const wide = (width * value) / Math.max(1, most);
      const part = s('rect', {
        x: at.toFixed(2),
        y: 0,
        width: Math.max(0.3, wide).toFixed(2),
        height,
        style: { fill: stateColour(state.key) },
      });
      const where = links?.where(state.key) ?? '';
      if (links !== undefined && where !== '') {
        follows(part, state.key, links);
      }
      bar.append(part);
      at += wide;
      total += value;
      lines.push([value, state.label, where]);
    }
  }
  tip(bar, () =>
    lines
      .sort((a, b) => b[0] - a[0])
      .slice(0, 8)
      .map(
        ([value, label, where]) =>
          `${label}: ${plain(value)} warp-cycles, ${share(value, total)}${where === '' ? '' : `; click: ${where}`}`,
      ),
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
