// SPDX-License-Identifier: MIT
// FLOP/s against FLOP per byte, both on log axes: one point per kernel and level; zoom by wheel, keys or buttons.
import { scaleLog } from 'd3-scale';
import type { Kernel } from '../data/types';
import { pct, plain, scaled, short } from '../model/format';
import {
  attainable,
  classesOf,
  colourPlaces,
  moved,
  pointsOf,
  rangeOf,
  ridge,
  roofOf,
  runsWith,
  sameRoof,
  zoomed,
  type Point,
  type Range,
} from '../model/roofline';
import { decades, frame, kShapes, legend, mark, widthOf, type Box, type Key } from '../ui/chart';
import { button, choice, chosen, h, note, panel, s } from '../ui/dom';
import { takeKeys, zoomByWheel } from '../ui/input';
import { kColours } from '../ui/palette';
import { tip } from '../ui/tooltip';
import type { Context, Handle, Place, View } from '../ui/view';
import { slopeLabel } from './roofline_label';
import { kernelKeys, pointTable, silentNote, type Look } from './roofline_points';

const kMostPoints = 600;

class Roofline implements Handle {
  private readonly holder = h('div', {
    class: 'zoomable',
    tabindex: '0',
    role: 'application',
    'aria-label': 'Roofline. Arrow keys move it, plus and minus zoom, 0 shows all.',
  });
  private readonly side = h('div');
  private readonly flops: HTMLElement;
  private readonly kernels: HTMLElement;
  private only: string;
  private all: boolean;
  private range: Range;

  constructor(
    private readonly context: Context,
    private readonly classes: string[],
  ) {
    this.only = this.firstClass();
    this.all = this.allAtFirst();
    this.range = this.full();
    this.flops = choice(
      'FLOPs',
      classes.map((name) => [name, name]),
      this.only,
      (value) => {
        this.only = value;
        this.reset();
      },
    );
    this.kernels = choice(
      'Kernels',
      [
        ['one', 'the selected one'],
        ['all', 'all'],
      ],
      this.all ? 'all' : 'one',
      (value) => {
        this.all = value === 'all';
        this.reset();
      },
    );
    zoomByWheel(this.holder, (event) => this.wheel(event));
  }

  element(): HTMLElement {
    const zoom = (factor: number) => () => this.zoom(factor);
    const { runs } = this.context.page;
    const many = runs.length > 1 || runs.some((run) => run.kernels.length > 1);
    const toolbar = h(
      'div',
      { class: 'toolbar' },
      this.flops,
      many && this.kernels,
      button('Zoom in', zoom(0.7)),
      button('Zoom out', zoom(1 / 0.7)),
      button('Show all', () => this.reset()),
    );
    takeKeys([toolbar, this.holder], (event) => this.key(event));
    return h('div', {}, toolbar, this.holder, this.side);
  }

  private firstClass(): string {
    const { kernel } = this.context;
    return kernel.roofs.length > 0 ? classesOf([kernel])[0] : this.classes[0];
  }

  /** Where a run has no kernel of the selected one's name, only all kernels show both runs. */
  private allAtFirst(): boolean {
    const { page, kernel } = this.context;
    return page.runs.some((run) => !run.kernels.some((item) => item.name === kernel.name));
  }

  place(): Place {
    const full = this.full();
    const words = (range: Range) => [...range.x, ...range.y].map((value) => value.toPrecision(6)).join(' ');
    return {
      flops: this.only,
      kernels: this.all ? 'all' : 'one',
      ...(words(full) === words(this.range) ? {} : { range: words(this.range) }),
    };
  }

  restore(place: Place): void {
    this.only = this.classes.includes(place.flops) ? place.flops : this.firstClass();
    this.all = place.kernels === undefined ? this.allAtFirst() : place.kernels === 'all';
    chosen(this.flops, this.only);
    chosen(this.kernels, this.all ? 'all' : 'one');
    const [x0, x1, y0, y1] = (place.range ?? '').split(' ').map(Number);
    this.range = x0 > 0 && x1 > x0 && y0 > 0 && y1 > y0 ? { x: [x0, x1], y: [y0, y1] } : this.full();
    this.redraw();
  }

  private shown(): { kernel: Kernel; run: number }[] {
    const { page, kernel } = this.context;
    if (this.all) {
      return page.runs.flatMap((run, i) => run.kernels.map((item) => ({ kernel: item, run: i })));
    }
    return page.runs.flatMap((run, i) => {
      const same = run === this.context.run ? kernel : run.kernels.find((item) => item.name === kernel.name);
      return same ? [{ kernel: same, run: i }] : [];
    });
  }

  private points(): Point[] {
    return this.shown().flatMap((item) => pointsOf(item.kernel, item.run, this.only));
  }

  private full(): Range {
    const roofs = this.context.page.runs.map((run) => roofOf([run], this.only)).filter((roof) => roof !== null);
    return rangeOf(this.points(), roofs);
  }

  private reset(): void {
    this.range = this.full();
    this.redraw();
  }

  private zoom(factor: number, cx?: number, cy?: number): void {
    const middle = ([low, high]: [number, number]) => Math.sqrt(low * high);
    this.range = zoomed(this.range, factor, cx ?? middle(this.range.x), cy ?? middle(this.range.y));
    this.redraw();
  }

  main(): HTMLElement {
    return this.holder;
  }

  key(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, 0.1],
      ArrowDown: [0, -0.1],
    };
    if (event.key in moves) {
      this.range = moved(this.range, ...moves[event.key]);
      this.redraw();
    } else if (event.key === '+' || event.key === '=') {
      this.zoom(0.7);
    } else if (event.key === '-') {
      this.zoom(1 / 0.7);
    } else if (event.key === '0') {
      this.reset();
    } else {
      return;
    }
    event.preventDefault();
  }

  private wheel(event: WheelEvent): void {
    const bounds = this.holder.getBoundingClientRect();
    const { x, y } = this.scales(this.box());
    this.zoom(
      event.deltaY > 0 ? 1.2 : 1 / 1.2,
      x.invert(event.clientX - bounds.left),
      y.invert(event.clientY - bounds.top),
    );
  }

  private box(): Box {
    const width = widthOf(this.holder);
    return { width, height: Math.min(520, Math.max(320, width * 0.5)), left: 70, right: 16, top: 26, bottom: 44 };
  }

  private scales(box: Box) {
    return {
      x: scaleLog()
        .domain(this.range.x)
        .range([box.left, box.width - box.right]),
      y: scaleLog()
        .domain(this.range.y)
        .range([box.height - box.bottom, box.top]),
    };
  }

  redraw(): void {
    this.context.moved();
    const box = this.box();
    const { x, y } = this.scales(box);
    const points = this.points().slice(0, kMostPoints);
    const { svg, plot } = frame({
      box,
      x,
      y,
      xLabel: 'FLOP a byte',
      yLabel: 'FLOP/s',
      xTicks: decades(...this.range.x),
      yTicks: decades(...this.range.y),
      xFormat: (value) => (value >= 0.001 && value < 10_000 ? String(Number(value.toPrecision(3))) : scaled(value)),
      yFormat: (value) => scaled(value),
      label: `Roofline of ${this.only} with ${points.length} points; the table below has their values`,
    });
    const levels: string[] = [];
    this.context.page.runs.forEach((_, i) => this.drawRoofs(plot, box, i, levels));
    const kernels = this.shown().map(({ kernel }) => kernel);
    const look = this.look(kernels);
    points.forEach((point) =>
      this.drawPoint(plot, x(point.intensity), y(point.flops), point, levels, look.colour(point)),
    );
    this.holder.replaceChildren(svg);
    this.drawSide(points, levels, look, kernels);
  }

  private drawRoofs(plot: SVGGElement, box: Box, run: number, levels: string[]): void {
    const { x, y } = this.scales(box);
    const roof = roofOf([this.context.page.runs[run]], this.only);
    if (roof === null) {
      return;
    }
    const first = this.context.page.runs.findIndex((item) => sameRoof(roofOf([item], this.only), roof));
    if (first < run) {
      return;
    }
    const again = this.context.page.runs.slice(0, run).some((item) => roofOf([item], this.only)?.peak === roof.peak);
    const [low, high] = this.range.x;
    const dash = run > 0 ? '6 4' : undefined;
    const ridges = roof.levels.map((level) => ridge(roof.peak, level.bytesPerSecond)).filter((at) => at > 0);
    const flat = ridges.length > 0 ? Math.min(...ridges) : low;
    plot.append(
      s('line', {
        class: 'roof',
        'stroke-dasharray': dash,
        x1: x(Math.max(low, flat)),
        x2: x(high),
        y1: y(roof.peak),
        y2: y(roof.peak),
      }),
    );
    plot.append(
      s(
        'text',
        {
          class: 'roof-label',
          x: box.width - box.right - 6,
          y: y(roof.peak) + (again ? 14 : -6),
          'text-anchor': 'end',
        },
        `${this.roofName(run)}${roof.class} peak ${scaled(roof.peak, 'FLOP/s')}`,
      ),
    );
    for (const level of roof.levels.filter((item) => item.bytesPerSecond > 0)) {
      if (!levels.includes(level.level)) {
        levels.push(level.level);
      }
      const end = ridge(roof.peak, level.bytesPerSecond);
      const from = Math.min(low, end);
      plot.append(
        s('line', {
          class: 'roof',
          'stroke-dasharray': dash,
          x1: x(from),
          x2: x(end),
          y1: y(attainable(from, Infinity, level.bytesPerSecond)),
          y2: y(roof.peak),
        }),
      );
    }
    // Levels of one bandwidth share a slope, and its label; so do runs.
    const slopes = new Set(roof.levels.map((level) => level.bytesPerSecond).filter((slope) => slope > 0));
    for (const slope of slopes) {
      const names = roof.levels.filter((level) => level.bytesPerSecond === slope).map((level) => level.level);
      const { all, shared } = runsWith(this.context.page.runs, this.only, slope);
      if (shared[0] === run) {
        const label = `${shared.length === all ? '' : this.named(...shared)}${names.join(', ')}`;
        plot.append(slopeLabel({ ...this.scales(box), slope, peak: roof.peak }, label, run));
      }
    }
  }

  /** Those that have the roof of a run; empty where all runs share it. */
  private roofName(run: number): string {
    const roofs = this.context.page.runs.map((item) => roofOf([item], this.only));
    const own = [...roofs.keys()].filter((i) => sameRoof(roofs[i], roofs[run]));
    return own.length === roofs.filter((roof) => roof !== null).length ? '' : this.named(...own);
  }

  /** "A, C: "; empty where there is one run. */
  private named(...places: number[]): string {
    const { runs, comparison } = this.context.page;
    const names = places.map((run) => comparison?.runs[run]?.name ?? short(runs[run].name, 20));
    return runs.length > 1 ? `${names.join(', ')}: ` : '';
  }

  /** Colours are those of runs where the page has several, else those of kernels. */
  private look(kernels: Kernel[]): Look {
    const several = this.context.page.runs.length > 1;
    const places = colourPlaces(kernels, kColours.length);
    return {
      named: (run) => this.named(run),
      colour: (point) => kColours[several ? point.run % kColours.length : (places.get(point.name) ?? 0)],
    };
  }

  private drawPoint(plot: SVGGElement, x: number, y: number, point: Point, levels: string[], colour: string): void {
    const shape = mark(kShapes[Math.max(0, levels.indexOf(point.level)) % kShapes.length], x, y, 7);
    shape.classList.add('point');
    shape.style.fill = colour;
    if (point.run > 0) {
      // Hollow, so that a point of the first run below it is seen.
      shape.style.fill = 'transparent';
      shape.style.stroke = colour;
      shape.style.strokeWidth = '3';
    }
    tip(shape, () => [
      `${this.named(point.run)}${short(point.name, 80)}`,
      `${point.level}: ${plain(point.intensity)} FLOP a byte`,
      `${scaled(point.flops, 'FLOP/s')}, ${pct(point.pctOfRoof)} of the roof above it`,
    ]);
    shape.addEventListener('click', () => this.context.go({ run: point.run, kernel: point.kernel }));
    plot.append(shape);
  }

  private drawSide(points: Point[], levels: string[], look: Look, kernels: Kernel[]): void {
    const several = this.context.page.runs.length > 1;
    const keys: Key[] = levels.map((level, i) => ({
      label: level,
      colour: 'var(--ink)',
      shape: kShapes[i % kShapes.length],
    }));
    const runs: Key[] = several
      ? this.context.page.runs.map((run, i) => ({
          label: short(run.name, 80),
          colour: kColours[i % kColours.length],
        }))
      : this.all
        ? kernelKeys(points, look)
        : [];
    const empty = points.length === 0 && note('No point: the kernel did no such FLOPs, or the level had no traffic.');
    this.side.replaceChildren(
      ...[legend([...runs, ...keys]), empty, silentNote(kernels, this.only), pointTable(points, look)].filter(
        (part): part is HTMLElement => part instanceof HTMLElement,
      ),
    );
  }
}

export const roofline: View = {
  id: 'roofline',
  label: 'Roofline',
  key: '2',
  keys: [
    ['← → ↑ ↓', 'move the picture'],
    ['+ -', 'zoom'],
    ['0', 'show all'],
  ],
  render(context, root) {
    const classes = classesOf(context.page.runs.flatMap((run) => run.kernels));
    if (classes.length === 0) {
      root.append(panel('Roofline', note('The result has no FLOPs, so it has no roofline.')));
      return {};
    }
    const chart = new Roofline(context, classes);
    root.append(
      panel(
        'FLOP/s against FLOP a byte',
        note(
          'Left of a ridge, memory is the roof; right of it, ' +
            'arithmetic is. A point far below all roofs waits for latency.',
        ),
        chart.element(),
      ),
    );
    chart.redraw();
    return chart;
  },
};
