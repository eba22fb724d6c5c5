// SPDX-License-Identifier: MIT
// Messages about files: "kernel.trace:12:3: ..." leads to the line.
import { button, h, type Child } from '../ui/dom';

export interface Place {
  file: string;
  line: number;
  column: number;
}

const kPlace = /([\w.-]+):(\d{1,7})(?::(\d{1,7}))?/g;

/** The text in parts: what stands between places, and places in one of the files. */
export function placesIn(text: string, files: string[]): (string | Place)[] {
  const parts: (string | Place)[] = [];
  let from = 0;
  for (const hit of text.matchAll(kPlace)) {
    if (files.includes(hit[1])) {
      parts.push(text.slice(from, hit.index), {
        file: hit[1],
        line: Number(hit[2]),
        column: Number(hit[3] ?? 1),
      });
      from = hit.index + hit[0].length;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

export function message(text: string, files: string[], goTo: (place: Place) => void): HTMLElement {
  const parts = placesIn(text, files).map((part): Child => {
    if (typeof part === 'string') {
      return part;
    }
    return button(`${part.file}:${part.line}:${part.column}`, () => goTo(part), { class: 'place' });
  });
  return h('p', { class: 'warning wrap', role: 'alert' }, ...parts);
}
