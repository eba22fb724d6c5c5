// SPDX-License-Identifier: MIT
// A sweep: all its rows, and a plot of one metric against one axis.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { SweepFinding, SweepTable } from '../data/types';
import { plain, plural, scaled, short } from '../model/format';
import { metricsOf, nameOf, plotOf, type Plot } from '../model/sweep';
import { decades, frame, kShapes, legend, mark, widthOf } from '../ui/chart';
import { choice, chosen, h, note, panel, s } from '../ui/dom';
import { Grid } from '../ui/grid';
import { kColours } from '../ui/palette';
import { sorted, table } from '../ui/table';
import { tip } from '../ui/tooltip';
import type { Context, Handle, Place, View } from '../ui/view';

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
    xFormat: (value) => (plot.places === null ? scaled(value) : short(plot.places[value] ?? '', 14)),
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
      const shape = mark(kShapes[i % kShapes.length], x(point.x), y(point.y), 5);
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

const kScales: [string, string][] = [
  ['linear', 'linear'],
  ['log', 'logarithmic'],
];

/** The plot with its controls. */
class PlotPanel implements Handle {
  readonly element: HTMLElement;
  private readonly axes: string[];
  private readonly metrics: string[];
  private readonly controls: Record<keyof Settings, HTMLElement>;
  private readonly holder = h('div');
  private readonly side = h('div');
  private settings: Settings;

  constructor(
    private readonly sweep: SweepTable,
    context: Context,
  ) {
    this.metrics = metricsOf(sweep);
    this.axes = [...sweep.axes, ...this.metrics];
    this.settings = this.first();
    const pick = (label: string, options: [string, string][], key: keyof Settings, value: string) =>
      choice(label, options, value, (word) => {
        this.settings = { ...this.settings, [key]: key === 'axis' || key === 'metric' ? word : word === 'log' };
        this.redraw();
        context.moved();
      });
    const names = (list: string[]) => list.map((name): [string, string] => [name, name]);
    this.controls = {
      axis: pick('Across', names(this.axes), 'axis', this.settings.axis),
      metric: pick('Up', names(this.metrics), 'metric', this.settings.metric),
      logX: pick('Scale across', kScales, 'logX', 'linear'),
      logY: pick('Scale up', kScales, 'logY', 'linear'),
    };
    this.element = this.empty
      ? panel('Plot', note('The sweep has no numbers to plot.'))
      : panel('Plot', h('div', { class: 'toolbar' }, ...Object.values(this.controls)), this.holder, this.side);
  }

  private get empty(): boolean {
    return this.metrics.length === 0 || this.sweep.rows.length === 0;
  }

  private first(): Settings {
    return { axis: this.axes[0] ?? '', metric: this.metrics[0] ?? '', logX: false, logY: false };
  }

  place(): Place {
    const { axis, metric, logX, logY } = this.settings;
    return {
      across: axis,
      up: metric,
      ...(logX ? { acrossScale: 'log' } : {}),
      ...(logY ? { upScale: 'log' } : {}),
    };
  }

  restore(place: Place): void {
    const first = this.first();
    this.settings = {
      axis: this.axes.find((name) => name === place.across) ?? first.axis,
      metric: this.metrics.find((name) => name === place.up) ?? first.metric,
      logX: place.acrossScale === 'log',
      logY: place.upScale === 'log',
    };
    chosen(this.controls.axis, this.settings.axis);
    chosen(this.controls.metric, this.settings.metric);
    chosen(this.controls.logX, this.settings.logX ? 'log' : 'linear');
    chosen(this.controls.logY, this.settings.logY ? 'log' : 'linear');
    this.redraw();
  }

  redraw(): void {
    if (this.empty) {
      return;
    }
    const { sweep, settings, holder } = this;
    const plot = plotOf(sweep, settings.axis, settings.metric);
    holder.replaceChildren(
      plot.lines.length > 0 ? draw(sweep, plot, settings, widthOf(holder)) : note('No row has numbers for both.'),
    );
    this.side.replaceChildren(
      legend(
        plot.lines
          .slice(0, kMostLines)
          .map((line, i) => ({
            label: line.name,
            colour: kColours[i % kColours.length],
            shape: kShapes[i % kShapes.length],
          }))
          .filter((key) => key.label !== ''),
      ),
      plot.lines.length > kMostLines ? note(`The first ${kMostLines} of ${plural(plot.lines.length, 'line')}.`) : '',
    );
  }
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
  render(context, root) {
    const { sweep: points } = context.page;
    if (points === null) {
      return {};
    }
    const plot = new PlotPanel(points, context);
    root.append(plot.element, ...points.findings.map(findingPanel), rowsPanel(points));
    plot.redraw();
    return plot;
  },
};
