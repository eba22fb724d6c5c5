// SPDX-License-Identifier: MIT
// A list of instructions or lines that a row waited for, or that waited for it, each a button.
import { stateName } from '../data/states';
import type { Instruction, StateInfo } from '../data/types';
import { whole } from '../model/format';
import { instructionAt, type Waiter } from '../model/source';
import { clipped, h, note } from '../ui/dom';

const kMostJumps = 40;

export interface Jumps {
  code: Instruction[];
  states: StateInfo[];
  /** Rows are lines of the trace. */
  lines: boolean;
  jump: (index: number) => void;
}

/** Nothing where there are no waits. */
export function jumpList(title: string, waits: Waiter[], { code, states, lines, jump }: Jumps): HTMLElement[] {
  if (waits.length === 0) {
    return [];
  }
  const row = (wait: Waiter) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', on: { click: () => jump(wait.index) } },
        h('span', { class: 'jump-index' }, lines ? `line ${wait.line}` : String(wait.index)),
        clipped(instructionAt(code, wait.index)?.text ?? 'an instruction'),
      ),
      h('span', { class: 'note' }, `${whole(wait.cycles)} cycles of ${stateName(states, wait.state)}`),
    );
  return [
    h('h5', {}, title),
    h('ul', { class: 'jumps' }, ...waits.slice(0, kMostJumps).map(row)),
    ...(waits.length > kMostJumps ? [note(`and ${waits.length - kMostJumps} more`)] : []),
  ];
}
