// SPDX-License-Identifier: MIT
// Small tables, sortable by their headings; and the table that says what a chart shows.
import { h, type Child } from './dom';
import { scrollBox } from './scroll';

export type Cell = string | number | null;

export interface Column<Row> {
  label: string;
  /** What it is sorted by, and shown as without `show`. */
  value: (row: Row) => Cell;
  show?: (row: Row) => Child;
  numeric?: boolean;
  /** It holds sentences, which want room. */
  wide?: boolean;
}

function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) {
    return a === b ? 0 : a === null ? 1 : -1;
  }
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
}

export function sorted<Row>(rows: Row[], value: (row: Row) => Cell, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x === null || y === null ? compareCells(x, y) : sign * compareCells(x, y);
  });
}

export interface TableOptions {
  caption: string;
  hideCaption?: boolean;
  sortable?: boolean;
}

/** A table; with `sortable`, headings are buttons. */
export function table<Row>(columns: Column<Row>[], rows: Row[], options: TableOptions): HTMLElement {
  const body = h('tbody');
  let by = -1;
  let descending = false;
  const fill = (shown: Row[]) =>
    body.replaceChildren(
      ...shown.map((row) =>
        h(
          'tr',
          {},
          ...columns.map((column, i) => {
            const content = column.show ? column.show(row) : (column.value(row) ?? 'n/a');
            const kind = column.numeric ? 'number' : column.wide ? 'sentence' : undefined;
            return i === 0 ? h('th', { scope: 'row', class: kind }, content) : h('td', { class: kind }, content);
          }),
        ),
      ),
    );
  const heads = columns.map((column, i) => {
    const kind = column.numeric ? 'number' : undefined;
    if (options.sortable !== true) {
      return h('th', { scope: 'col', class: kind }, column.label);
    }
    const head = h(
      'th',
      { scope: 'col', class: kind },
      h(
        'button',
        {
          type: 'button',
          on: {
            click: () => {
              descending = by === i ? !descending : column.numeric === true;
              by = i;
              heads.forEach((other, k) =>
                other.setAttribute('aria-sort', k !== i ? 'none' : descending ? 'descending' : 'ascending'),
              );
              fill(sorted(rows, column.value, descending));
            },
          },
        },
        column.label,
      ),
    );
    return head;
  });
  fill(rows);
  const caption = h('caption', { class: options.hideCaption === true ? 'hidden' : undefined }, options.caption);
  return scrollBox(
    h(
      'div',
      { class: rows.length > 40 ? 'scroll tall' : 'scroll' },
      h('table', {}, caption, h('thead', {}, h('tr', {}, ...heads)), body),
    ),
    options.caption,
  );
}

const kMostRows = 2000;

/** The numbers of a chart, for those who cannot see it or want them exactly. Filled when it is opened. */
export function asTable<Row>(columns: Column<Row>[], rows: () => Row[], caption: string): HTMLElement {
  const details = h('details', { class: 'alternative' }, h('summary', {}, `${caption} as a table`));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) {
      const all = rows();
      details.append(table(columns, all.slice(0, kMostRows), { caption, hideCaption: true }));
      if (all.length > kMostRows) {
        details.append(h('p', { class: 'note' }, `The first ${kMostRows} of ${all.length} rows.`));
      }
    }
  });
  return details;
}
