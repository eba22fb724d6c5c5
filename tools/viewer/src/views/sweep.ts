// SPDX-License-Identifier: MIT
// A sweep: all its rows, and a plot of one metric against one axis.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { SweepFinding, SweepTable } from '../data/types';
import { plain, plural, scaled } from '../model/format';
import { metricsOf, nameOf, plotOf, type Plot } from '../model/sweep';
import { decades, frame, kColours, legend, mark, widthOf, type Key } from '../ui/chart';
import { choice, h, note, panel, s } from '../ui/dom';
import { Grid } from '../ui/grid';
import { sorted, table } from '../ui/table';
import { tip } from '../ui/tooltip';
import type { View } from '../ui/view';

const kShapes: Key['shape'][] = ['circle', 'square', 'triangle'];
const kMostLines = 24;

interface Settings {
  axis: string;
  metric: string;
  logX: boolean;
  logY: boolean;
}

function scaleOf(values: number[], log: boolean, zero: boolean, range: [number, number]) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (log && low > 0) {
    return scaleLog()
      .domain([low / 1.15, high * 1.15])
      .range(range);
  }
  const pad = (high - low || Math.abs(high) || 1) * 0.06;
  return scaleLinear()
    .domain([zero && low >= 0 ? 0 : low - pad, high + pad])
    .range(range);
}

function draw(sweep: SweepTable, plot: Plot, settings: Settings, width: number): SVGSVGElement {
  const box = { width, height: Math.min(440, Math.max(280, width * 0.42)), left: 64, right: 18, top: 28, bottom: 44 };
  const points = plot.lines.flatMap((line) => line.points);
  const x = scaleOf(
    points.map((point) => point.x),
    settings.logX && plot.places === null,
    false,
    [box.left, box.width - box.right],
  );
  const y = scaleOf(
    points.map((point) => point.y),
    settings.logY,
    true,
    [box.height - box.bottom, box.top],
  );
  const [x0, x1] = x.domain();
  const [y0, y1] = y.domain();
  const log = settings.logY && y0 > 0;
  const { svg, plot: area } = frame({
    box,
    x,
    y,
    xLabel: settings.axis,
    yLabel: settings.metric,
    xFormat: (value) => (plot.places === null ? scaled(value) : (plot.places[value] ?? '').slice(0, 14)),
    yFormat: (value) => scaled(value),
    ...(plot.places !== null
      ? { xTicks: plot.places.map((_, i) => i) }
      : settings.logX && x0 > 0
        ? { xTicks: decades(x0, x1) }
        : {}),
    ...(log ? { yTicks: decades(y0, y1) } : {}),
    label: `${settings.metric} against ${settings.axis}; the table below has the values`,
  });
  plot.lines.slice(0, kMostLines).forEach((line, i) => {
    const stroke = kColours[i % kColours.length];
    if (!plot.scattered) {
      area.append(
        s('path', {
          class: 'line',
          style: { stroke },
          'stroke-dasharray': i >= kColours.length ? '6 4' : undefined,
          d: line.points.map((point, k) => `${k === 0 ? 'M' : 'L'}${x(point.x)},${y(point.y)}`).join(''),
        }),
      );
    }
    for (const point of line.points) {
      const shape = mark(kShapes[i % 3], x(point.x), y(point.y), 5);
      shape.classList.add('point');
      shape.style.fill = stroke;
      tip(shape, () =>
        [
          plot.scattered ? nameOf(sweep, point.row) : line.name,
          `${settings.axis}: ${plot.places?.[point.x] ?? plain(point.x)}`,
          `${settings.metric}: ${plain(point.y)}`,
        ].filter((text) => text !== ''),
      );
      area.append(shape);
    }
  });
  return svg;
}

function plotPanel(sweep: SweepTable): { element: HTMLElement; redraw: () => void } {
  const metrics = metricsOf(sweep);
  const axes = [...sweep.axes, ...metrics];
  if (metrics.length === 0 || sweep.rows.length === 0) {
    return { element: panel('Plot', note('The sweep has no numbers to plot.')), redraw: () => undefined };
  }
  const settings: Settings = { axis: axes[0], metric: metrics[0], logX: false, logY: false };
  const [holder, side] = [h('div'), h('div')];
  const redraw = () => {
    const plot = plotOf(sweep, settings.axis, settings.metric);
    holder.replaceChildren(
      plot.lines.length > 0 ? draw(sweep, plot, settings, widthOf(holder)) : note('No row has numbers for both.'),
    );
    const keys = plot.lines.slice(0, kMostLines).filter((line) => line.name !== '');
    side.replaceChildren(
      legend(
        keys.map((line, i) => ({ label: line.name, colour: kColours[i % kColours.length], shape: kShapes[i % 3] })),
      ),
      plot.lines.length > kMostLines ? note(`The first ${kMostLines} of ${plural(plot.lines.length, 'line')}.`) : '',
    );
  };
  const set = (change: Partial<Settings>) => {
    Object.assign(settings, change);
    redraw();
  };
  const scales: [string, string][] = [
    ['linear', 'linear'],
    ['log', 'logarithmic'],
  ];
  const element = panel(
    'Plot',
    h(
      'div',
      { class: 'toolbar' },
      choice(
        'Across',
        axes.map((name) => [name, name]),
        settings.axis,
        (axis) => set({ axis }),
      ),
      choice(
        'Up',
        metrics.map((name) => [name, name]),
        settings.metric,
        (metric) => set({ metric }),
      ),
      choice('Scale across', scales, 'linear', (value) => set({ logX: value === 'log' })),
      choice('Scale up', scales, 'linear', (value) => set({ logY: value === 'log' })),
    ),
    holder,
    side,
  );
  return { element, redraw };
}

/** A finding that the program made: a table with a title and a sentence. */
function findingPanel(finding: SweepFinding): HTMLElement {
  const columns = finding.columns.map((label, i) => ({
    label,
    value: (row: (number | string | null)[]) => row[i],
    show: (row: (number | string | null)[]) => (typeof row[i] === 'number' ? plain(row[i]) : (row[i] ?? 'n/a')),
    numeric: finding.rows.every((row) => typeof row[i] !== 'string'),
  }));
  return panel(
    finding.title,
    note(finding.note),
    table(columns, finding.rows, { caption: finding.title, hideCaption: true }),
  );
}

function rowsPanel(sweep: SweepTable): HTMLElement {
  let order = { key: '', descending: false };
  const numeric = sweep.columns.map((_, i) => sweep.rows.every((row) => typeof row[i] !== 'string'));
  const whole = sweep.columns.map((_, i) => sweep.rows.every((row) => row[i] === null || Number.isInteger(row[i])));
  const text = (value: number, i: number) =>
    whole[i] || Math.abs(value) >= 10_000 || Math.abs(value) < 0.01
      ? plain(value)
      : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const grid = new Grid<(number | string | null)[]>({
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
  return panel('All rows', note(`${plural(sweep.rows.length, 'row')}; a heading sorts by its column.`), grid.element);
}

export const sweep: View = {
  id: 'sweep',
  label: 'Sweep',
  key: '1',
  render({ page }, root) {
    const points = page.sweep;
    if (points === null) {
      return {};
    }
    const plot = plotPanel(points);
    root.append(plot.element, ...points.findings.map(findingPanel), rowsPanel(points));
    plot.redraw();
    return { redraw: plot.redraw };
  },
};
