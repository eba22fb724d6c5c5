// SPDX-License-Identifier: MIT
// How many warps an SM can hold and does hold, what limits them, and how that would change with the launch.
import { scaleLinear } from 'd3-scale';
import type { Curve, Kernel } from '../data/types';
import { pct, plain, whole } from '../model/format';
import { stepsOf } from '../model/occupancy';
import { frame, mark, widthOf } from '../ui/chart';
import { missingDetails } from '../ui/details';
import { h, note, panel, s } from '../ui/dom';
import { asTable, table } from '../ui/table';
import type { View } from '../ui/view';

const kNames: Record<string, string> = {
  warps: 'Warps',
  registers: 'Registers',
  shared_mem: 'Shared memory',
  blocks: 'CTA slots',
  barriers: 'Barriers',
};

const named = (key: string) => (Object.hasOwn(kNames, key) ? kNames[key] : key);

function bar(name: string, value: number): HTMLElement {
  return h(
    'li',
    {},
    h('span', { class: 'bar-name' }, name),
    h(
      'span',
      { class: 'bar', 'aria-hidden': 'true' },
      h('span', { class: 'fill', style: { width: `${Math.max(0, Math.min(100, value))}%` } }),
    ),
    h('span', { class: 'bar-value' }, pct(value)),
  );
}

/** Warps at the launch: of the nearest point of the curve. */
function atLaunch(curve: Curve): { x: number; warps: number } {
  let best = 0;
  curve.x.forEach((x, i) => {
    if (Math.abs(x - curve.at) < Math.abs(curve.x[best] - curve.at)) {
      best = i;
    }
  });
  return { x: curve.at, warps: curve.warps[best] ?? 0 };
}

const kTextWidth = 170;
/** Between the frame and the outermost points, and above the highest one, where its label stands. */
const kRoom = 8;
const kLabelRoom = 24;

function drawCurve(curve: Curve, maxWarps: number, width: number): SVGSVGElement {
  const box = { width, height: 250, left: 38, right: 14, top: 26, bottom: 42 };
  const x = scaleLinear()
    .domain([Math.min(...curve.x), Math.max(...curve.x, curve.at)])
    .range([box.left + kRoom, width - box.right - kRoom]);
  const most = Math.max(maxWarps, ...curve.warps);
  const y = scaleLinear()
    .domain([0, most])
    .range([box.height - box.bottom, box.top + kLabelRoom]);
  const { x: at, warps } = atLaunch(curve);
  const { svg, plot } = frame({
    box,
    x,
    y,
    xLabel: curve.name,
    yLabel: 'warps an SM',
    yFormat: whole,
    xFormat: (value) => (value >= 4096 && value % 1024 === 0 ? `${value / 1024} Ki` : whole(value)),
    xTicks: curve.name.includes('byte') ? x.ticks(5).map((tick) => Math.round(tick / 16384) * 16384) : x.ticks(5),
    label: `Warps an SM against ${curve.name}; the launch has ${at}, with ${warps} warps`,
  });
  plot.append(
    s('path', {
      class: 'line curve',
      d: stepsOf(curve)
        .map(([value, held], i) => `${i === 0 ? 'M' : 'L'}${x(value).toFixed(1)},${y(held).toFixed(1)}`)
        .join(''),
    }),
  );
  const point = mark('circle', x(at), y(warps), 6);
  point.classList.add('launch');
  const right = x(at) > width * 0.6;
  // Above what the curve reaches beside the point, where the text stands.
  const beside = curve.warps.filter((_, i) => {
    const by = (x(curve.x[i]) - x(at)) * (right ? -1 : 1);
    return by >= 0 && by < kTextWidth;
  });
  plot.append(s('line', { class: 'limit', x1: x(at), x2: x(at), y1: y(0), y2: y(warps) }), point);
  svg.append(
    s(
      'text',
      {
        class: 'strong',
        x: x(at) + (right ? -10 : 10),
        y: Math.max(box.top + 12, y(Math.max(warps, ...beside)) - 9),
        'text-anchor': right ? 'end' : 'start',
      },
      `launch: ${whole(at)}, ${whole(warps)} warps`,
    ),
  );
  return svg;
}

function limits(kernel: Kernel): HTMLElement {
  const { occupancy: of } = kernel;
  const rows = Object.entries(of.limits).sort((a, b) => a[1] - b[1]);
  return table<[string, number]>(
    [
      { label: 'Limit', value: ([key]) => named(key) },
      { label: 'CTAs an SM', value: ([, ctas]) => ctas, show: ([, ctas]) => whole(ctas), numeric: true },
      {
        label: 'Warps an SM',
        value: ([, ctas]) => ctas * of.warpsPerCta,
        numeric: true,
        show: ([, ctas]) => whole(ctas * of.warpsPerCta),
      },
      { label: 'Binds', value: ([key]) => (of.limiters.includes(key) ? 'yes' : '') },
    ],
    rows,
    { caption: 'What limits the CTAs of an SM', hideCaption: true },
  );
}

export const occupancy: View = {
  id: 'occupancy',
  label: 'Occupancy',
  key: '4',
  render({ kernel }, root) {
    const { occupancy: of } = kernel;
    const limiters = of.limiters.map((key) => named(key).toLowerCase()).join(', ');
    const holder = h('div', { class: 'small-multiples' });
    const redraw = () =>
      holder.replaceChildren(
        ...of.curves.map((curve) => {
          const columns = widthOf(holder) > 1000 ? 3 : widthOf(holder) > 640 ? 2 : 1;
          return h(
            'div',
            { style: { width: `calc(${100 / columns}% - 12px)` } },
            drawCurve(curve, of.maxWarps, Math.floor(widthOf(holder) / columns) - 12),
          );
        }),
      );
    root.append(
      h(
        'div',
        { class: 'columns' },
        panel(
          'Occupancy',
          h('ul', { class: 'bars narrow' }, bar('Theoretical', of.theoreticalPct), bar('Achieved', of.achievedPct)),
          note(
            `An SM holds ${whole(of.ctasPerSm)} CTAs of ${whole(of.warpsPerCta)} ` +
              `warps, of at most ${whole(of.maxWarps)} warps. ` +
              (limiters === '' ? '' : `What limits it: ${limiters}. `) +
              'Achieved is the mean over the cycles in which an SM had a warp.',
          ),
        ),
        panel('Limits', limits(kernel)),
      ),
    );
    root.append(
      panel(
        'If the launch were another',
        of.curves.length === 0
          ? missingDetails(kernel, 'This result has no curves of occupancy.', 'gpusim ... --record series')
          : note('Each curve changes one thing and keeps the rest.'),
        holder,
        of.curves.length > 0 &&
          asTable<{ curve: string; x: number; warps: number }>(
            [
              { label: 'What changes', value: (row) => row.curve },
              { label: 'To', value: (row) => row.x, show: (row) => plain(row.x), numeric: true },
              { label: 'Warps an SM', value: (row) => row.warps, show: (row) => plain(row.warps), numeric: true },
            ],
            () =>
              of.curves.flatMap((curve) =>
                curve.x.map((x, i) => ({ curve: curve.name, x, warps: curve.warps[i] ?? 0 })),
              ),
            'Curves',
          ),
      ),
    );
    redraw();
    return { redraw };
  },
};
