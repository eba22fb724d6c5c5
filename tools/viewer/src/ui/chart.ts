// SPDX-License-Identifier: MIT
// The frame of a chart: axes, grid lines, and a clipped area that views draw into.
import type { ScaleLinear, ScaleLogarithmic } from 'd3-scale';
import { h, s, type Child } from './dom';

export type Scale = ScaleLinear<number, number> | ScaleLogarithmic<number, number>;

export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The width that a chart has in its parent; a default while it is not shown. */
export function widthOf(parent: Element, otherwise = 900): number {
  return Math.max(280, Math.floor(parent.clientWidth) || otherwise);
}

export interface FrameOptions {
  box: Box;
  x: Scale;
  y: Scale;
  xLabel: string;
  yLabel: string;
  xFormat: (value: number) => string;
  yFormat: (value: number) => string;
  xTicks?: number[];
  yTicks?: number[];
  label: string;
}

let clips = 0;

export interface Frame {
  svg: SVGSVGElement;
  /** What is drawn into it stays within the axes. */
  plot: SVGGElement;
}

function axisX(options: FrameOptions): SVGGElement {
  const { box, x } = options;
  const bottom = box.height - box.bottom;
  const ticks = options.xTicks ?? x.ticks(Math.max(2, Math.floor((box.width - box.left - box.right) / 90)));
  return s(
    'g',
    { class: 'axis' },
    ...ticks.flatMap((tick) => [
      s('line', { class: 'grid-line', x1: x(tick), x2: x(tick), y1: box.top, y2: bottom }),
      s('text', { x: x(tick), y: bottom + 16, 'text-anchor': 'middle' }, options.xFormat(tick)),
    ]),
    s('text', { class: 'axis-label', x: box.width - box.right, y: bottom + 34, 'text-anchor': 'end' }, options.xLabel),
  );
}

function axisY(options: FrameOptions): SVGGElement {
  const { box, y } = options;
  const ticks = options.yTicks ?? y.ticks(Math.max(2, Math.floor((box.height - box.top - box.bottom) / 40)));
  return s(
    'g',
    { class: 'axis' },
    ...ticks.flatMap((tick) => [
      s('line', { class: 'grid-line', x1: box.left, x2: box.width - box.right, y1: y(tick), y2: y(tick) }),
      s('text', { x: box.left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, options.yFormat(tick)),
    ]),
    s('text', { class: 'axis-label', x: 2, y: Math.max(11, box.top - 8) }, options.yLabel),
  );
}

export function frame(options: FrameOptions): Frame {
  const { box } = options;
  const id = `clip${++clips}`;
  const inner = {
    x: box.left,
    y: box.top,
    width: box.width - box.left - box.right,
    height: box.height - box.top - box.bottom,
  };
  const plot = s('g', { 'clip-path': `url(#${id})` });
  const svg = s(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${box.width} ${box.height}`,
      role: 'img',
      'aria-label': options.label,
    },
    s('defs', {}, s('clipPath', { id }, s('rect', inner))),
    axisX(options),
    axisY(options),
    plot,
    s('rect', { class: 'frame', ...inner }),
  );
  return { svg, plot };
}

/** Powers of ten within a range, for logarithmic axes; with 2 and 5 times them where there are few. */
export function decades(from: number, to: number): number[] {
  const steps = Math.log10(to / from) < 3 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); ++power) {
    ticks.push(...steps.map((step) => Number(`${step}e${power}`)).filter((tick) => tick >= from && tick <= to));
  }
  return ticks;
}

export interface Key {
  label: string;
  colour: string;
  shape?: 'line' | (typeof kShapes)[number];
}

/** Shapes of points: each differs from the others without its colour. */
export const kShapes = ['circle', 'square', 'triangle', 'diamond', 'cross', 'down', 'star', 'hexagon'] as const;

/** A closed path of corners on rays from the middle, the first at the top; `radii` are taken in turn. */
function polygon(x: number, y: number, corners: number, radii: number[]): SVGElement {
  const points = Array.from({ length: corners }, (_, i) => {
    const [angle, radius] = [(2 * Math.PI * i) / corners - Math.PI / 2, radii[i % radii.length]];
    return `${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return s('path', { d: `M${points.join('L')}Z` });
}

export function mark(shape: Key['shape'], x: number, y: number, size: number): SVGElement {
  if (shape === 'square') {
    return s('rect', { x: x - size, y: y - size, width: 2 * size, height: 2 * size });
  }
  if (shape === 'triangle') {
    return s('path', { d: `M${x},${y - 1.2 * size} l${1.15 * size},${2 * size} h${-2.3 * size} z` });
  }
  if (shape === 'diamond') {
    return s('path', {
      d:
        `M${x},${y - 1.4 * size} l${1.4 * size},${1.4 * size} ` +
        `l${-1.4 * size},${1.4 * size} l${-1.4 * size},${-1.4 * size} z`,
    });
  }
  if (shape === 'down') {
    return s('path', { d: `M${x},${y + 1.2 * size} l${1.15 * size},${-2 * size} h${-2.3 * size} z` });
  }
  if (shape === 'cross') {
    const [arm, thick] = [1.25 * size, 0.45 * size];
    const corners = [-arm, -thick, thick, arm];
    const [a, b, c, d] = corners;
    const path = [
      [b, a],
      [c, a],
      [c, b],
      [d, b],
      [d, c],
      [c, c],
      [c, d],
      [b, d],
      [b, c],
      [a, c],
      [a, b],
      [b, b],
    ];
    return s('path', { d: `M${path.map(([dx, dy]) => `${x + dx},${y + dy}`).join('L')}Z` });
  }
  if (shape === 'star') {
    return polygon(x, y, 10, [1.5 * size, 0.6 * size]);
  }
  if (shape === 'hexagon') {
    return polygon(x, y, 6, [1.25 * size]);
  }
  if (shape === 'line') {
    return s('rect', { x: x - size, y: y - 1.5, width: 2 * size, height: 3 });
  }
  return s('circle', { cx: x, cy: y, r: size });
}

export function legend(keys: Key[], ...more: Child[]): HTMLElement {
  return h(
    'div',
    { class: 'legend' },
    ...keys.map((key) => {
      const symbol = mark(key.shape ?? 'square', 7, 7, 5.5);
      symbol.style.fill = key.colour;
      return h('span', { class: 'key' }, s('svg', { width: 14, height: 14, 'aria-hidden': 'true' }, symbol), key.label);
    }),
    ...more,
  );
}
