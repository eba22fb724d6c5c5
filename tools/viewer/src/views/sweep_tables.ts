// SPDX-License-Identifier: MIT
// What the program found in a sweep, and all its rows.
import type { SweepFinding, SweepRow, SweepTable } from '../data/types';
import { plain, plural } from '../model/format';
import { button, h, note, panel } from '../ui/dom';
import { Grid } from '../ui/grid';
import { sorted, table } from '../ui/table';

/** `plot`: shows the metric along a key. */
function findingPanel(finding: SweepFinding, plot: (key: string) => void): HTMLElement {
  const columns = finding.columns.map((label, i) => ({
    label,
    value: (row: SweepRow) => row[i],
    show: (row: SweepRow) => (typeof row[i] === 'number' ? plain(row[i]) : (row[i] ?? 'n/a')),
    numeric: finding.right[i],
  }));
  const [key] = finding.columns;
  const caption = finding.remark === '' ? finding.title : `${finding.title}, ${finding.remark}`;
  const shown = columns.length > 0 && table(columns, finding.rows, { caption, hideCaption: true });
  return panel(
    finding.title,
    finding.remark !== '' && note(finding.remark),
    ...finding.before.map((text) => h('p', {}, text)),
    shown && finding.folded
      ? h('details', { class: 'open-in-print' }, h('summary', {}, plural(finding.rows.length, 'value')), shown)
      : shown,
    ...finding.after.map((text) => note(text)),
    finding.curve &&
      h(
        'div',
        { class: 'toolbar' },
        button('Show in the plot', () => plot(key)),
      ),
  );
}

/** Curves stand side by side, everything else one below the other. */
export function findingPanels(findings: SweepFinding[], plot: (key: string) => void): HTMLElement[] {
  const parts: HTMLElement[] = [];
  let curves: HTMLElement | null = null;
  for (const finding of findings) {
    const element = findingPanel(finding, plot);
    if (!finding.curve) {
      curves = null;
      parts.push(element);
    } else {
      if (curves === null) {
        curves = h('div', { class: 'columns' });
        parts.push(curves);
      }
      curves.append(element);
    }
  }
  return parts;
}

export function rowsPanel(sweep: SweepTable): HTMLElement {
  let order = { key: '', descending: false };
  const numeric = sweep.columns.map((_, i) => sweep.rows.every((row) => typeof row[i] !== 'string'));
  const whole = sweep.columns.map((_, i) => sweep.rows.every((row) => row[i] === null || Number.isInteger(row[i])));
  const text = (value: number, i: number) =>
    whole[i] || Math.abs(value) >= 10_000 || Math.abs(value) < 0.01
      ? plain(value)
      : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const grid = new Grid<SweepRow>({
    label: 'Rows of the sweep',
    height: `${Math.min(34, 3 + 1.62 * sweep.rows.length)}rem`,
    columns: sweep.columns.map((name, i) => ({
      key: String(i),
      label: name,
      width: `minmax(${Math.max(8, Math.ceil(0.62 * name.length + 2))}rem, 1fr)`,
      numeric: numeric[i],
      sortable: true,
      cell: (row) => (typeof row[i] === 'number' ? text(row[i], i) : (row[i] ?? 'n/a')),
    })),
    onSort: (key) => {
      order = { key, descending: order.key === key && !order.descending };
      grid.setSort(key, order.descending);
      grid.setRows(sorted(sweep.rows, (row) => row[Number(key)], order.descending));
    },
  });
  grid.setRows(sweep.rows);
  return panel('All rows', note(`${plural(sweep.rows.length, 'row')}; a heading sorts by its column.`), grid.box);
}
