// SPDX-License-Identifier: MIT
// Steps over time: lines side by side or areas stacked. One value holds from the begin to the end of its interval.
import { scaleLinear } from 'd3-scale';
import { whole } from '../model/format';
import { frame, type Box } from './chart';
import { s } from './dom';

export interface Steps {
  name: string;
  colour: string;
  values: Float64Array;
}

export interface StepChart {
  width: number;
  height: number;
  left: number;
  right: number;
  lo: number;
  hi: number;
  begin: Float64Array;
  end: Float64Array;
  series: Steps[];
  stacked: boolean;
  yLabel: string;
  /** The axis reaches at least this far. */
  yMost: number;
  /** A line across, with its name. */
  limit?: { at: number; name: string };
  xAxis: boolean;
  /** Name of the axis of time, and its numbers; cycles without them. */
  xLabel?: string;
  xFormat?: (value: number) => string;
  label: string;
}

/** A path of steps along `top`, back along `bottom` when that is given; NaN leaves a gap. */
function path(
  chart: StepChart,
  x: (v: number) => number,
  y: (v: number) => number,
  top: Float64Array,
  bottom: Float64Array | null,
): string {
  const parts: string[] = [];
  let gap = true;
  const run = (values: Float64Array, i: number, back: boolean) => {
    const [a, b] = [x(chart.begin[i]).toFixed(1), x(chart.end[i]).toFixed(1)];
    const level = y(values[i]).toFixed(1);
    parts.push(back ? `L${b},${level}L${a},${level}` : `${gap ? 'M' : 'L'}${a},${level}L${b},${level}`);
  };
  for (let i = 0; i < top.length; ++i) {
    if (Number.isNaN(top[i])) {
      gap = true;
    } else {
      run(top, i, false);
      gap = false;
    }
  }
  if (bottom !== null) {
    for (let i = top.length - 1; i >= 0; --i) {
      run(bottom, i, true);
    }
    parts.push('Z');
  }
  return parts.join('');
}

export function stepChart(chart: StepChart): SVGSVGElement {
  const count = chart.begin.length;
  const total = new Float64Array(count);
  const tops = chart.series.map((steps) => {
    if (!chart.stacked) {
      return steps.values;
    }
    steps.values.forEach((value, i) => {
      total[i] += value;
    });
    return total.slice();
  });
  const most = tops.reduce((high, values) => values.reduce((a, b) => (b > a ? b : a), high), 0);
  const box: Box = {
    width: chart.width,
    height: chart.height,
    left: chart.left,
    right: chart.right,
    top: 28,
    bottom: chart.xAxis ? 40 : 8,
  };
  const x = scaleLinear()
    .domain([chart.lo, chart.hi])
    .range([box.left, box.width - box.right]);
  const y = scaleLinear()
    .domain([0, Math.max(chart.yMost, most * 1.05) || 1])
    .range([box.height - box.bottom, box.top]);
  const ticks = Math.max(2, Math.floor((box.height - box.top - box.bottom) / 40));
  const { svg, plot } = frame({
    box,
    x,
    y,
    xLabel: chart.xAxis ? (chart.xLabel ?? 'cycle') : '',
    yLabel: chart.yLabel,
    label: chart.label,
    xFormat: chart.xAxis ? (chart.xFormat ?? whole) : () => '',
    yFormat: y.tickFormat(ticks),
    yTicks: y.ticks(ticks),
  });
  chart.series.forEach((steps, i) => {
    const shape = s('path', {
      d: path(chart, x, y, tops[i], chart.stacked ? (i > 0 ? tops[i - 1] : new Float64Array(count)) : null),
    });
    if (chart.stacked) {
      shape.classList.add('area');
      shape.style.fill = steps.colour;
    } else {
      shape.classList.add('line');
      shape.style.stroke = steps.colour;
    }
    plot.append(shape);
  });
  if (chart.limit !== undefined) {
    plot.append(
      s('line', {
        class: 'limit',
        x1: box.left,
        x2: box.width - box.right,
        y1: y(chart.limit.at),
        y2: y(chart.limit.at),
      }),
      s('text', { x: box.width - box.right - 6, y: y(chart.limit.at) - 4, 'text-anchor': 'end' }, chart.limit.name),
    );
  }
  return svg;
}
