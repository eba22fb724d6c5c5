// SPDX-License-Identifier: MIT
// Two runs side by side: metrics, warp states, lines of the source.
import { shortLabel, stateColour } from '../data/states';
import { sum } from '../data/read';
import type { Run } from '../data/types';
import {
  change,
  lineChanges,
  metricsOf,
  pairs,
  stateChanges,
  type Compared,
  type LineChange,
  type Pair,
  type StateChange,
} from '../model/compare';
import { plain, scaled, signed, time, whole } from '../model/format';
import { choice, clipped, h, note, panel } from '../ui/dom';
import { Grid } from '../ui/grid';
import { table } from '../ui/table';
import type { Context, View } from '../ui/view';

function shown(value: number | null, unit: string): string {
  if (value === null) {
    return 'n/a';
  }
  return unit === 'B' ? scaled(value, 'B') : `${plain(value)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Better, worse or neither, by a word and a sign as well as by colour. */
function verdict(row: Compared): HTMLElement {
  const small = row.change === null || Math.abs(row.change) < 0.05;
  const good = !small && row.better !== null && (row.better === 'less') === (row.change ?? 0) < 0;
  const kind = small || row.better === null ? '' : good ? 'better' : 'worse';
  return h('span', { class: `change-cell ${kind}` }, signed(row.change), kind !== '' && h('span', {}, ` ${kind}`));
}

function metrics(a: Run, b: Run, rows: Compared[], title: string): HTMLElement {
  return panel(
    title,
    table<Compared>(
      [
        { label: 'Metric', value: (row) => row.name },
        { label: a.name.slice(0, 40), value: (row) => row.a, show: (row) => shown(row.a, row.unit), numeric: true },
        { label: b.name.slice(0, 40), value: (row) => row.b, show: (row) => shown(row.b, row.unit), numeric: true },
        { label: 'Change', value: (row) => row.change, show: verdict, numeric: true },
      ],
      rows,
      { caption: title, hideCaption: true, sortable: true },
    ),
  );
}

/** A bar to the left of the middle for less, to the right for more. */
function twoSided(difference: number, most: number, fill: string): HTMLElement {
  const share = most > 0 ? (50 * Math.abs(difference)) / most : 0;
  return h(
    'span',
    { class: 'two-sided', 'aria-hidden': 'true' },
    h('span', {
      style: { background: fill, width: `${share}%`, left: difference < 0 ? `${50 - share}%` : '50%' },
    }),
  );
}

function signedWhole(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '-' : ''}${whole(Math.abs(value))}`;
}

function states(a: Run, b: Run, pair: Pair): HTMLElement {
  const rows = stateChanges(a.states, pair);
  const most = rows.reduce((high, row) => Math.max(high, Math.abs(row.b - row.a)), 0);
  return panel(
    'Warp states',
    note('Warp-cycles in each state; the largest difference comes first.'),
    table<StateChange>(
      [
        {
          label: 'State',
          value: (row) => row.state.label,
          show: (row) =>
            h(
              'span',
              { class: 'state-name' },
              h('span', { class: 'swatch', style: { background: stateColour(row.state.key) } }),
              shortLabel(row.state.label),
            ),
        },
        { label: a.name.slice(0, 40), value: (row) => row.a, show: (row) => whole(row.a), numeric: true },
        { label: b.name.slice(0, 40), value: (row) => row.b, show: (row) => whole(row.b), numeric: true },
        {
          label: 'Difference',
          value: (row) => row.b - row.a,
          show: (row) => signedWhole(row.b - row.a),
          numeric: true,
        },
        {
          label: 'Change',
          value: (row) => change(row.a, row.b),
          show: (row) => signed(change(row.a, row.b)),
          numeric: true,
        },
        {
          label: 'Less | more',
          value: (row) => row.b - row.a,
          show: (row) => twoSided(row.b - row.a, most, stateColour(row.state.key)),
        },
      ],
      rows,
      { caption: 'Warp states', hideCaption: true, sortable: true },
    ),
  );
}

function lines(context: Context, a: Run, b: Run, pair: Pair): HTMLElement {
  const rows = lineChanges(pair);
  const most = rows.reduce((high, row) => Math.max(high, Math.abs(row.b - row.a)), 0);
  const grid = new Grid<LineChange>({
    label: 'Lines of the source',
    height: '24rem',
    columns: [
      { key: 'line', label: 'Line', width: '4rem', numeric: true, cell: (row) => (row.line > 0 ? row.line : '') },
      {
        key: 'text',
        label: 'First instruction',
        width: 'minmax(14rem, 1fr)',
        cell: (row) => {
          const cell = clipped(row.text);
          cell.classList.add('code');
          return cell;
        },
      },
      { key: 'a', label: a.name.slice(0, 40), width: '8rem', numeric: true, cell: (row) => whole(row.a) },
      { key: 'b', label: b.name.slice(0, 40), width: '8rem', numeric: true, cell: (row) => whole(row.b) },
      {
        key: 'difference',
        label: 'Difference',
        width: '8rem',
        numeric: true,
        cell: (row) => signedWhole(row.b - row.a),
      },
      {
        key: 'bar',
        label: 'Less | more',
        width: '12rem',
        cell: (row) => twoSided(row.b - row.a, most, row.b > row.a ? 'var(--high)' : 'var(--bar)'),
      },
    ],
    onKey: (event, row) => {
      if (event.key === 'Enter' && row !== null) {
        context.go({ view: 'source', line: row.line });
        return true;
      }
      return false;
    },
  });
  grid.setRows(rows);
  return panel(
    'Lines',
    note(
      `Warp-cycles by line, ${whole(sum(rows.map((row) => row.a)))} against ` +
        `${whole(sum(rows.map((row) => row.b)))}. Lines pair by number: where the source changed, they shift. ` +
        'Enter shows the line in the source of the selected run.',
    ),
    grid.element,
  );
}

export const compare: View = {
  id: 'compare',
  label: 'Compare',
  key: '9',
  keys: [['Enter', 'on a line: to the source']],
  render(context, root) {
    const [a, b] = context.page.runs;
    const found = pairs(a, b);
    if (found.length === 0) {
      root.append(panel('Compare', note('The runs have no kernel in common.')));
      return {};
    }
    const own =
      context.run === b
        ? found.findIndex((pair) => pair.b === context.kernel)
        : found.findIndex((pair) => pair.a === context.kernel);
    let pair = found[Math.max(0, own)];
    const holder = h('div');
    const draw = () => {
      const gain = pair.b.timeUs > 0 ? pair.a.timeUs / pair.b.timeUs : 0;
      holder.replaceChildren(
        h(
          'section',
          { class: 'panel verdict' },
          h('h3', {}, clipped(pair.a.name)),
          h(
            'p',
            {},
            `${b.name.slice(0, 60)} takes ${time(pair.b.timeUs)}, ${a.name.slice(0, 60)} ${time(pair.a.timeUs)}: ` +
              (gain >= 1 ? `${plain(gain)} times as fast.` : `${plain(1 / Math.max(gain, 1e-9))} times as slow.`),
          ),
        ),
        metrics(a, b, metricsOf(pair), 'Metrics'),
        states(a, b, pair),
        lines(context, a, b, pair),
      );
    };
    if (found.length > 1) {
      root.append(
        h(
          'div',
          { class: 'toolbar' },
          choice(
            'Kernels',
            found.slice(0, 1000).map((item, i) => [String(i), `${item.a.index}: ${item.a.name.slice(0, 60)}`]),
            String(Math.max(0, own)),
            (value) => {
              pair = found[Number(value)];
              draw();
            },
          ),
        ),
      );
    }
    root.append(holder);
    draw();
    if (context.page.metrics.length > 0) {
      root.append(
        metrics(
          a,
          b,
          context.page.metrics.map((row) => ({ ...row, change: change(row.a, row.b), better: null })),
          'All kernels together',
        ),
      );
    }
    return {};
  },
};
