// SPDX-License-Identifier: MIT
// A sweep: all its rows, and a plot of one metric against one axis.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { SweepTable } from '../data/types';
import { plain, plural, scaled, short } from '../model/format';
import { placedNames } from '../model/point_names';
import {
  axisOf,
  firstAxis,
  isCrowded,
  metricsOf,
  middleTexts,
  nameOf,
  plotOf,
  valuesOf,
  type Plot,
} from '../model/sweep';
import { decades, frame, kShapes, legend, mark, widthOf, type Scale } from '../ui/chart';
import { choice, chosen, h, note, panel, s } from '../ui/dom';
import { kColours } from '../ui/palette';
import { tip } from '../ui/tooltip';
import type { Context, Handle, Place, View } from '../ui/view';
import { findingPanels, rowsPanel } from './sweep_tables';

const kMostLines = 24;
const kMostTicks = 12;
/** Points without a line are named where there are so few. */
const kMostNames = 24;
/** Pixels: of a mark, and what each one around it has more. */
const kMark = 5;
const kRing = 3;
const kMostRings = 2;
/** Pixels from a point to its name. */
const kNameGap = 9;
/** Pixels that a number takes on the axis. */
const kTickRoom = 44;

interface Settings {
  axis: string;
  metric: string;
  logX: boolean;
  logY: boolean;
  relative: boolean;
  /** Which points: those beside the middle one, all of them, or what shows more. */
  others: 'middle' | 'any' | 'auto';
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

/** Ticks at the values themselves, where they are few and far enough apart; else as the axis likes them. */
function ticksAt(points: { x: number }[], x: Scale): { xTicks?: number[] } {
  const values = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const fit = values.every((value, i) => i === 0 || x(value) - x(values[i - 1]) >= kTickRoom);
  return fit && values.length <= kMostTicks ? { xTicks: values } : {};
}

/** Whether the points have names beside them. */
function isNamed(plot: Plot): boolean {
  return plot.scattered && plot.lines.reduce((count, line) => count + line.points.length, 0) <= kMostNames;
}

/** What each single point is, where there is room for it. */
function pointNames(sweep: SweepTable, plot: Plot, x: Scale, y: Scale): SVGElement[] {
  const [from, to] = x.range();
  const named = plot.lines.flatMap((line) =>
    line.points.map((point) => ({ x: x(point.x), y: y(point.y), name: valuesOf(sweep, point.row) })),
  );
  return placedNames(named, from, to).map((one) =>
    s(
      'text',
      {
        x: one.side === 'right' ? one.x + kNameGap : one.x - kNameGap,
        y: one.y,
        dy: '.35em',
        'text-anchor': one.side === 'right' ? 'start' : 'end',
      },
      one.name,
    ),
  );
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
    yLabel: settings.relative && !plot.scattered ? `${settings.metric} / that of the first point` : settings.metric,
    xFormat: (value) => (plot.places === null ? scaled(value) : short(plot.places[value] ?? '', 14)),
    yFormat: (value) => scaled(value),
    ...(plot.places !== null
      ? { xTicks: plot.places.map((_, i) => i) }
      : settings.logX && x0 > 0
        ? { xTicks: decades(x0, x1) }
        : ticksAt(points, x)),
    ...(log ? { yTicks: decades(y0, y1) } : {}),
    label: `${settings.metric} against ${settings.axis}; the table below has the values`,
  });
  // Marks at the edge are whole: they stand outside the clipped area.
  const marks = s('g');
  const taken = new Map<string, number>();
  plot.lines.slice(0, kMostLines).forEach((line, i) => {
    const stroke = kColours[i % kColours.length];
    // Names have no order that a line could follow.
    if (!plot.scattered && plot.places === null) {
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
      // Equal points stand around each other, the first one innermost.
      const place = `${Math.round(x(point.x))} ${Math.round(y(point.y))}`;
      const below = taken.get(place) ?? 0;
      taken.set(place, below + 1);
      const size = kMark + kRing * Math.min(below, kMostRings);
      const shape = mark(kShapes[i % kShapes.length], x(point.x), y(point.y), size);
      shape.classList.add('point');
      shape.style.fill = stroke;
      tip(shape, () =>
        [
          plot.scattered ? nameOf(sweep, point.row) : line.name,
          `${settings.axis}: ${plot.places?.[point.x] ?? plain(point.x)}`,
          `${settings.metric}: ${plain(point.value)}`,
          settings.relative && !plot.scattered ? `${point.y.toFixed(3)} of the first point` : '',
        ].filter((text) => text !== ''),
      );
      marks.prepend(shape);
    }
  });
  svg.append(marks, ...(isNamed(plot) ? pointNames(sweep, plot, x, y) : []));
  return svg;
}

const kOthers: [string, string][] = [
  ['middle', 'as in the middle point'],
  ['any', 'any, a line each'],
];
const kValues: [string, string][] = [
  ['values', 'as they are'],
  ['relative', 'relative to the first point'],
];
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
    private readonly context: Context,
  ) {
    this.metrics = metricsOf(sweep);
    this.axes = [...sweep.axes, ...this.metrics];
    this.settings = this.first();
    const pick = (label: string, options: [string, string][], set: (word: string) => Partial<Settings>) =>
      choice(label, options, '', (word) => {
        this.settings = { ...this.settings, ...set(word) };
        this.redraw();
        context.moved();
      });
    const names = (list: string[]) => list.map((name): [string, string] => [name, name]);
    this.controls = {
      axis: pick('Across', names(this.axes), (word) => ({ axis: word })),
      metric: pick('Up', names(this.metrics), (word) => ({ metric: word })),
      others: pick('Other keys', kOthers, (word) => ({ others: word === 'any' ? 'any' : 'middle' })),
      relative: pick('Values', kValues, (word) => ({ relative: word === 'relative' })),
      logX: pick('Scale across', kScales, (word) => ({ logX: word === 'log' })),
      logY: pick('Scale up', kScales, (word) => ({ logY: word === 'log' })),
    };
    this.element = this.empty
      ? panel('Plot', note('The sweep has no numbers to plot.'))
      : panel('Plot', h('div', { class: 'toolbar' }, ...Object.values(this.controls)), this.holder, this.side);
  }

  private get empty(): boolean {
    return this.metrics.length === 0 || this.sweep.rows.length === 0;
  }

  private first(): Settings {
    return {
      axis: firstAxis(this.sweep) || this.metrics[0],
      metric: this.metrics[0] ?? '',
      logX: false,
      logY: false,
      relative: false,
      others: 'auto',
    };
  }

  place(): Place {
    const { axis, metric, logX, logY, relative, others } = this.settings;
    return {
      across: axis,
      up: metric,
      ...(others === 'auto' ? {} : { others }),
      ...(relative ? { values: 'relative' } : {}),
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
      relative: place.values === 'relative',
      others: place.others === 'any' || place.others === 'middle' ? place.others : 'auto',
    };
    this.redraw();
  }

  /** Shows the curve along a key. */
  along(key: string): void {
    const { sweep } = this;
    const axis = axisOf(sweep, key) ?? this.settings.axis;
    this.settings = { ...this.settings, axis, metric: this.metrics[0], others: 'middle' };
    this.redraw();
    this.element.scrollIntoView();
    this.context.moved();
  }

  private get middle(): boolean {
    const { sweep, settings } = this;
    return settings.others === 'auto'
      ? isCrowded(sweep, settings.axis, settings.metric)
      : settings.others === 'middle' && sweep.middles.length > 0;
  }

  private setControls(scattered: boolean): void {
    const { settings, controls, sweep } = this;
    chosen(controls.axis, settings.axis);
    chosen(controls.metric, settings.metric);
    chosen(controls.others, this.middle ? 'middle' : 'any');
    chosen(controls.relative, settings.relative ? 'relative' : 'values');
    chosen(controls.logX, settings.logX ? 'log' : 'linear');
    chosen(controls.logY, settings.logY ? 'log' : 'linear');
    controls.others.hidden = scattered || sweep.middles.length === 0 || sweep.axes.length < 2;
    controls.relative.hidden = scattered;
  }

  redraw(): void {
    if (this.empty) {
      return;
    }
    const { sweep, settings, holder, middle } = this;
    const plot = plotOf(sweep, { ...settings, middle });
    this.setControls(plot.scattered);
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
      isNamed(plot) && sweep.axes.length > 0 ? note(`Beside the points: ${sweep.axes.join(' / ')}.`) : '',
      ...(middle && !plot.scattered
        ? middleTexts(sweep, settings.axis)
            .slice(0, kMostLines)
            .map((text) => note(text))
        : []),
    );
  }
}

export const sweep: View = {
  id: 'sweep',
  label: 'Sweep',
  key: '1',
  ofPage: true,
  render(context, root) {
    const { sweep: points } = context.page;
    if (points === null) {
      return {};
    }
    const plot = new PlotPanel(points, context);
    root.append(
      ...points.warnings.map((text) => h('p', { class: 'warning', role: 'note' }, text)),
      ...(points.note === '' ? [] : [h('p', { class: 'note' }, points.note)]),
      plot.element,
      ...findingPanels(points.findings, (key) => plot.along(key)),
      rowsPanel(points),
    );
    plot.redraw();
    return plot;
  },
};
