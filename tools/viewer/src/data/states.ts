// SPDX-License-Identifier: MIT
// Warp states: their names, letters and texts, which a page brings with it from the program's one table.
import { arr, obj, str } from './read';
import type { StateInfo } from './types';

/** The table of the page, in its order of precedence; empty where the page has none. */
export function readStates(value: unknown): StateInfo[] {
  return arr(value)
    .map((item) => {
      const raw = obj(item);
      const key = str(raw.key);
      return {
        key,
        label: nameOf(str(raw.label) || key),
        glyph: str(raw.glyph).slice(0, 1) || key.slice(0, 1),
        detail: str(raw.detail),
        what: str(raw.what),
        remedy: str(raw.remedy),
        releaser: str(raw.releaser),
        obstacle: str(raw.obstacle),
      };
    })
    .filter((row) => row.key !== '')
    .slice(0, 255);
}

/** A state of which a page says no more than its key. */
export function unknownState(key: string): StateInfo {
  return { key, label: key, glyph: key.slice(0, 1), detail: 'none', what: '', remedy: '', releaser: '', obstacle: '' };
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
