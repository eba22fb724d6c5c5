// SPDX-License-Identifier: MIT
// Every instruction, what it cost, and what it waited for. From a wait to its producer and back in a click or a key.
import type { Instruction, StateInfo } from '../data/types';
import { plural, share, whole } from '../model/format';
import {
  byInstruction,
  byLine,
  instructionAt,
  joined,
  producerOf,
  select,
  waitersOf,
  type Order,
  type SourceRow,
  type Waiter,
} from '../model/source';
import { missingDetails } from '../ui/details';
import { button, choice, chosen, h, note, panel } from '../ui/dom';
import { Grid, type GridColumn } from '../ui/grid';
import { stateColour } from '../ui/palette';
import { topStates, type BarLinks } from '../ui/states';
import type { Context, Handle, Place, Target, View } from '../ui/view';
import { columnsOf } from './source_columns';
import { jumpList } from './source_jumps';

const kCodeOrder: Order = { key: 'index', descending: false };

/** "-cycles": the most first. */
function orderOf(word: string | undefined): Order {
  return word === undefined || word === ''
    ? kCodeOrder
    : { key: word.replace(/^-/, ''), descending: word.startsWith('-') };
}

class Source implements Handle {
  private readonly code: Instruction[];
  private readonly states: StateInfo[];
  private readonly grid: Grid<SourceRow>;
  private readonly detail = h('aside', { class: 'detail', 'aria-label': 'The selected instruction' });
  private readonly counted = h('p', { class: 'note', role: 'status' });
  private readonly find = h('input', {
    type: 'search',
    placeholder: 'LDG, R12, a line ...',
    'aria-label': 'Find instructions',
  });
  private readonly kind: HTMLElement;
  private readonly waits: HTMLElement;
  private waiters: Map<number, Waiter[]> | null = null;
  private rows: SourceRow[];
  private shown: SourceRow[] = [];
  private lines = false;
  private order = kCodeOrder;
  private filter = { text: '', state: '' };
  private most = 1;
  private trail: number[] = [];
  private current: SourceRow | null = null;

  constructor(private readonly context: Context) {
    this.code = context.kernel.code();
    this.states = context.run.states;
    this.rows = byInstruction(this.code);
    this.grid = new Grid<SourceRow>({
      label: 'Instructions',
      columns: this.columns(),
      height: 'min(70vh, 46rem)',
      onSelect: (row) => this.showDetail(row),
      onKey: (event, row) => this.gridKey(event, row),
      onSort: (key) => this.sort(key),
    });
    this.find.addEventListener('input', () => {
      this.filter.text = this.find.value;
      this.refresh();
    });
    this.kind = choice(
      'Rows',
      [
        ['instruction', 'instructions'],
        ['line', 'lines of the trace'],
      ],
      'instruction',
      (value) => {
        this.setRows(value === 'line');
        this.refresh();
      },
    );
    const stalled = topStates(this.states, context.kernel.stalls).filter((row) => row.state.key !== 'selected');
    this.waits = choice(
      'Waits in',
      [['', 'any state'], ...stalled.map(({ state }): [string, string] => [state.key, state.label])],
      '',
      (value) => {
        this.filter.state = value;
        this.order = value === '' ? kCodeOrder : { key: value, descending: true };
        this.refresh();
      },
    );
  }

  element(): HTMLElement {
    return h(
      'div',
      {},
      h(
        'div',
        { class: 'toolbar' },
        this.kind,
        this.waits,
        h('label', { class: 'choice' }, h('span', {}, 'Find'), this.find),
        button('Most expensive first', () => {
          this.order = { key: 'cycles', descending: true };
          this.refresh();
        }),
        button('In order of the code', () => {
          this.order = kCodeOrder;
          this.refresh();
        }),
      ),
      this.counted,
      h('div', { class: 'with-detail' }, this.grid.box, this.detail),
    );
  }

  /** The state that is filtered or sorted by has a column, so that its heading says so. */
  private columns(): GridColumn<SourceRow>[] {
    return columnsOf({
      states: this.states,
      rows: this.rows,
      most: () => this.most,
      links: (row) => this.links(row),
      own: [this.filter.state, this.order.key],
    });
  }

  private links(row: SourceRow): BarLinks {
    return {
      where: (state) => {
        const to = producerOf(row, state);
        return to === null ? '' : this.lines ? `line ${to.line}` : `instruction ${to.index}`;
      },
      follow: (state) => {
        this.grid.select(this.shown.indexOf(row));
        this.jump(producerOf(row, state)?.index ?? row.index);
      },
    };
  }

  private setRows(lines: boolean): void {
    this.lines = lines;
    this.rows = lines ? byLine(this.code) : byInstruction(this.code);
  }

  private sort(key: string): void {
    const again = this.order.key === key;
    this.order = { key, descending: again ? !this.order.descending : key !== 'index' && key !== 'line' };
    this.refresh();
  }

  refresh(): void {
    this.shown = select(this.rows, this.filter, this.order);
    this.most = this.rows.reduce((most, row) => Math.max(most, row.cycles), 1);
    this.grid.setColumns(this.columns());
    this.grid.setSort(this.order.key, this.order.descending);
    this.grid.setRows(this.shown);
    this.counted.textContent =
      this.shown.length === this.rows.length
        ? plural(this.rows.length, this.lines ? 'line' : 'instruction')
        : `${whole(this.shown.length)} of ${plural(this.rows.length, this.lines ? 'line' : 'instruction')}`;
    const place =
      this.current === null
        ? -1
        : this.shown.findIndex((row) =>
            this.lines ? row.line === this.current?.line : row.index === this.current?.index,
          );
    if (this.shown.length > 0) {
      this.grid.select(place >= 0 ? place : this.mostExpensive());
    } else {
      this.current = null;
      this.detail.replaceChildren(note('No row is selected: none is shown.'));
      this.context.moved();
    }
  }

  private mostExpensive(): number {
    return this.shown.reduce((best, row, i) => (row.cycles > this.shown[best].cycles ? i : best), 0);
  }

  place(): Place {
    const { current, order, filter } = this;
    const sort = `${order.descending ? '-' : ''}${order.key}`;
    return {
      ...(current === null ? {} : this.lines ? { line: String(current.line) } : { index: String(current.index) }),
      ...(this.lines ? { rows: 'line' } : {}),
      ...(sort === kCodeOrder.key ? {} : { sort }),
      ...(filter.text === '' ? {} : { find: filter.text.slice(0, 200) }),
      ...(filter.state === '' ? {} : { waits: filter.state }),
    };
  }

  restore(place: Place): void {
    this.setRows(place.rows === 'line');
    this.order = orderOf(place.sort);
    if (!this.columns().some((column) => column.key === this.order.key)) {
      this.order = kCodeOrder;
    }
    const known = this.states.some((state) => state.key === place.waits);
    this.setFilter(place.find ?? '', known ? place.waits : '');
    chosen(this.kind, this.lines ? 'line' : 'instruction');
    this.current = null;
    this.refresh();
    if (place.index !== undefined) {
      this.jump(Number(place.index), false);
    } else if (place.line !== undefined) {
      this.jumpLine(Number(place.line), false);
    }
  }

  main(): HTMLElement {
    return this.grid.element;
  }

  focus(target: Target): void {
    if (target.index !== undefined) {
      this.jump(target.index);
    } else if (target.line !== undefined) {
      this.jumpLine(target.line);
    }
  }

  redraw(): void {
    this.refresh();
  }

  private setFilter(text: string, state: string): void {
    this.filter = { text, state };
    this.find.value = text;
    chosen(this.waits, state);
  }

  /** Selects the instruction; a filter that hides it is lifted. */
  jump(index: number, remember = true): void {
    const from = this.current;
    const line = instructionAt(this.code, index)?.line;
    const find = () => this.shown.findIndex((row) => (this.lines ? row.line === line : row.index === index));
    if (find() < 0) {
      this.setFilter('', '');
      this.refresh();
    }
    this.grid.select(find());
    if (remember && from !== null && from.index !== this.current?.index) {
      this.trail.push(from.index);
      this.showDetail(this.current);
    }
    this.grid.element.focus({ preventScroll: true });
  }

  private jumpLine(line: number, remember = true): void {
    const row = this.rows.find((item) => item.line === line);
    if (row !== undefined) {
      this.jump(row.index, remember);
    }
  }

  private back(): void {
    const last = this.trail.pop();
    if (last !== undefined) {
      this.jump(last, false);
      this.showDetail(this.current);
    }
  }

  private gridKey(event: KeyboardEvent, row: SourceRow | null): boolean {
    if (event.key === 'Enter' && row !== null) {
      const producer = producerOf(row);
      if (producer !== null) {
        this.jump(producer.index);
      }
      return true;
    }
    if (event.key === 'Backspace') {
      this.back();
      return true;
    }
    return false;
  }

  private nameOf(index: number): string {
    return this.lines ? `line ${instructionAt(this.code, index)?.line ?? 0}` : String(index);
  }

  private showDetail(row: SourceRow | null): void {
    this.current = row;
    this.context.moved();
    if (row === null) {
      return;
    }
    const top = topStates(this.states, row.stalls);
    const total = Math.max(1, this.context.kernel.warpCycles);
    const pipe = this.context.kernel.pipes.get(row.index);
    this.detail.replaceChildren(
      ...[
        this.trail.length > 0 && button(`Back to ${this.nameOf(this.trail[this.trail.length - 1])}`, () => this.back()),
        h('h4', {}, this.lines ? `Line ${row.line}` : `Instruction ${row.index}, line ${row.line}`),
        h('p', { class: 'code wrap' }, row.text.slice(0, 1000)),
        note(
          [
            `${plural(row.executions, 'execution')}, ${share(row.cycles, total)} of the kernel's warp-cycles`,
            pipe?.pipe ? `pipe ${pipe.pipe}` : '',
            pipe?.queue ? `queue ${pipe.queue}` : '',
          ]
            .filter(Boolean)
            .join('; '),
        ),
        h(
          'ul',
          { class: 'states' },
          ...top.map(({ state, cycles }) =>
            h(
              'li',
              {},
              h('span', { class: 'swatch', style: { background: stateColour(state.key) } }),
              h('span', {}, state.label),
              h('span', { class: 'number' }, `${whole(cycles)} · ` + share(cycles, row.cycles)),
            ),
          ),
        ),
        ...this.relations(row),
      ].filter((part): part is HTMLElement => part instanceof HTMLElement),
    );
  }

  private relations(row: SourceRow): HTMLElement[] {
    this.waiters ??= waitersOf(this.code);
    const { code, states, lines, waiters } = this;
    const own = lines ? code.filter((item) => item.line === row.line) : [];
    const back = lines ? joined(own.flatMap((item) => waiters.get(item.index) ?? [])) : (waiters.get(row.index) ?? []);
    const also = lines ? [] : topStates(states, instructionAt(code, row.index)?.concurrent ?? {});
    const jumps = { code, states, lines, jump: (index: number) => this.jump(index) };
    return [
      ...jumpList('It waited for', row.producers, jumps),
      ...jumpList('Its result was waited for by', back, jumps),
      ...(also.length === 0
        ? []
        : [
            h('h5', {}, 'At the same time'),
            note(also.map(({ state, cycles }) => `${state.label} ${whole(cycles)}`).join(', ')),
          ]),
    ];
  }
}

export const source: View = {
  id: 'source',
  label: 'Source',
  key: '5',
  keys: [
    ['↑ ↓', 'the row above, below'],
    ['PageUp PageDown Home End', 'further'],
    ['Enter', 'to the instruction that it waited for'],
    ['Backspace', 'back'],
  ],
  render(context, root) {
    if (context.kernel.code().length === 0) {
      root.append(
        panel(
          'Instructions',
          missingDetails(context.kernel, 'This result has no instructions of this kernel.', 'gpusim ... --html FILE'),
        ),
      );
      return {};
    }
    const view = new Source(context);
    root.append(
      panel(
        'What each instruction cost',
        note(
          "A warp's cycles count at the instruction that it is to " +
            'issue next, by state; bars are to scale with the most expensive row. Enter goes to the instruction that ' +
            'was waited for, a click on a state of a bar to that of the state; Backspace comes back.',
        ),
        view.element(),
      ),
    );
    view.refresh();
    return view;
  },
};
