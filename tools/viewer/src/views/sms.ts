// SPDX-License-Identifier: MIT
// The load of each SM as a map, and the CTAs on each SM over time: waves, and the tail at the end.
import { scaleLinear } from 'd3-scale';
import type { Kernel } from '../data/types';
import { pct, plain, share, whole } from '../model/format';
import { resident, spread, wavesOf, type Waves } from '../model/waves';
import { frame, legend, widthOf } from '../ui/chart';
import { missingDetails } from '../ui/details';
import { choice, chosen, h, note, panel, s, say } from '../ui/dom';
import { kColours, kSeriesColours } from '../ui/palette';
import { asTable } from '../ui/table';
import { colour, theme } from '../ui/theme';
import { tip } from '../ui/tooltip';
import type { Context, Handle, View } from '../ui/view';

type Metric = 'active' | 'ctas' | 'instructions';
const kNames: Record<Metric, string> = {
  active: 'active cycles',
  ctas: 'CTAs',
  instructions: 'warp instructions',
};
const kMargins = { left: 56, right: 14 };

function valuesOf(kernel: Kernel): Partial<Record<Metric, number[]>> {
  return Object.fromEntries(
    (
      [
        ['active', kernel.smActiveCycles],
        ['ctas', kernel.smCtas],
        ['instructions', kernel.smInstructions],
      ] as [Metric, number[]][]
    ).filter(([, values]) => values.length > 0),
  );
}

function map(values: number[], name: string, width: number): SVGSVGElement {
  const size = Math.max(44, Math.min(72, Math.floor(width / Math.min(values.length, 22))));
  const columns = Math.max(1, Math.floor(width / size));
  const { most } = spread(values);
  const svg = s('svg', {
    class: 'chart',
    role: 'img',
    'aria-label': `${name} of ${values.length} SMs`,
    viewBox: `0 0 ${width} ${Math.ceil(values.length / columns) * 40 + 2}`,
  });
  values.forEach((value, sm) => {
    const part = most > 0 ? value / most : 0;
    const cell = s(
      'g',
      { class: 'sm', transform: `translate(${(sm % columns) * size},${Math.floor(sm / columns) * 40})` },
      s('rect', { class: 'sm-back', x: 1, y: 1, width: size - 4, height: 36, rx: 4 }),
      s('rect', { class: 'sm-fill', x: 1, y: 37 - 36 * part, width: size - 4, height: 36 * part, rx: 3 }),
      s('text', { x: 6, y: 16 }, String(sm)),
    );
    tip(cell, () => [`SM ${sm}`, `${whole(value)} ${name}, ${share(value, most)} of the most`]);
    svg.append(cell);
  });
  return svg;
}

function load(context: Context, root: HTMLElement): Handle {
  const { kernel } = context;
  const values = valuesOf(kernel);
  const names = Object.keys(values) as Metric[];
  if (names.length === 0) {
    root.append(panel('Load of the SMs', note('The result has no numbers by SM.')));
    return {};
  }
  let [metric] = names;
  const [holder, says] = [h('div'), note()];
  const redraw = () => {
    const list = values[metric] ?? [];
    const { least, mean, most } = spread(list);
    const idle = list.filter((value) => value === 0).length;
    holder.replaceChildren(map(list, kNames[metric], widthOf(holder)));
    say(
      says,
      `An SM has ${plain(mean, 1)} ${kNames[metric]} on average, ${whole(least)} at least and ` +
        `${whole(most)} at most: the mean is ${share(mean, most)} of the most` +
        `${idle > 0 ? `; ${idle} SMs have none` : ''}. The filled height is to scale with the most.`,
    );
  };
  const show = (value: string | undefined) => {
    metric = names.find((name) => name === value) ?? names[0];
    chosen(pick, metric);
    redraw();
  };
  const pick = choice(
    'Show',
    names.map((name) => [name, kNames[name]]),
    metric,
    (value) => {
      show(value);
      context.moved();
    },
  );
  root.append(
    panel(
      'Load of the SMs',
      h('div', { class: 'toolbar' }, pick),
      says,
      holder,
      asTable<number>(
        [
          { label: 'SM', value: (sm) => sm, numeric: true },
          ...names.map((name) => ({
            label: kNames[name],
            numeric: true,
            value: (sm: number) => values[name]?.[sm] ?? null,
            show: (sm: number) => whole(values[name]?.[sm] ?? 0),
          })),
        ],
        () => Array.from(values[names[0]] ?? [], (_, sm) => sm),
        'SMs',
      ),
    ),
  );
  redraw();
  return { redraw, place: () => ({ show: metric }), restore: (place) => show(place.show) };
}

/** CTAs as bars, a row for each SM; neighbouring waves differ in colour. */
function drawBars(canvas: HTMLCanvasElement, waves: Waves, rows: number, width: number): void {
  const rowHeight = Math.max(3, Math.min(16, Math.floor(520 / rows)));
  const height = rows * rowHeight;
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  context.scale(scale, scale);
  context.fillStyle = colour('--track');
  context.fillRect(kMargins.left, 0, width - kMargins.left - kMargins.right, height);
  const slots = waves.bars.reduce((most, bar) => Math.max(most, bar.slot + 1), 1);
  const x = (cycle: number) => kMargins.left + (cycle / waves.end) * (width - kMargins.left - kMargins.right);
  const thin = rowHeight / slots;
  for (const bar of waves.bars) {
    context.fillStyle = kSeriesColours[theme()][bar.wave % 6];
    context.fillRect(
      x(bar.begin),
      bar.sm * rowHeight + bar.slot * thin,
      Math.max(0.7, x(bar.end) - x(bar.begin) - 0.6),
      Math.max(0.6, thin - (thin > 2 ? 0.6 : 0)),
    );
  }
  context.fillStyle = colour('--soft');
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'right';
  const step = Math.ceil(16 / rowHeight / 4) * 4;
  for (let sm = 0; sm < rows; sm += step) {
    context.fillText(`SM ${sm}`, kMargins.left - 6, sm * rowHeight + 10);
  }
}

function drawResident(waves: Waves, width: number): SVGSVGElement {
  const steps = resident(waves.bars);
  const most = steps.reduce((high, step) => Math.max(high, step.resident), 1);
  const box = { width, height: 190, ...kMargins, top: 24, bottom: 42 };
  const x = scaleLinear()
    .domain([0, waves.end])
    .range([box.left, width - box.right]);
  const y = scaleLinear()
    .domain([0, most * 1.08])
    .range([box.height - box.bottom, box.top]);
  const { svg, plot } = frame({
    box,
    x,
    y,
    xLabel: 'cycle',
    yLabel: 'resident CTAs',
    xFormat: whole,
    yFormat: whole,
    label: `CTAs resident on the GPU over time; the tail begins at cycle ${waves.tailFrom}`,
  });
  let d = `M${x(0)},${y(0)}`;
  let last = 0;
  for (const step of steps) {
    d += `L${x(step.at).toFixed(1)},${y(last).toFixed(1)}L${x(step.at).toFixed(1)},${y(step.resident).toFixed(1)}`;
    last = step.resident;
  }
  plot.append(
    s('rect', {
      class: 'tail',
      x: x(waves.tailFrom),
      y: box.top,
      width: x(waves.end) - x(waves.tailFrom),
      height: box.height - box.top - box.bottom,
    }),
    s('path', { class: 'area resident', d: `${d}Z` }),
  );
  return svg;
}

function waves(kernel: Kernel, sms: number, root: HTMLElement): () => void {
  if (kernel.ctas === null || kernel.ctas.rows.length === 0) {
    root.append(
      panel(
        'Waves',
        missingDetails(kernel, 'This result does not say when each CTA ran.', 'gpusim ... --record series'),
      ),
    );
    return () => undefined;
  }
  const { rows, total } = kernel.ctas;
  const found = wavesOf(rows);
  const most = Math.max(
    sms,
    rows.reduce((high, row) => Math.max(high, row.sm + 1), 0),
  );
  const canvas = h('canvas', { class: 'wide', role: 'img', 'aria-label': `${rows.length} CTAs on ${found.used} SMs` });
  const [holder, charts] = [h('div'), h('div')];
  const part = rows.length < total ? `, of which the first ${whole(rows.length)} are here` : '';
  const tail = found.end - found.tailFrom;
  holder.append(charts, canvas);
  const redraw = () => {
    const width = widthOf(holder);
    charts.replaceChildren(drawResident(found, width));
    drawBars(canvas, found, most, width);
  };
  root.append(
    panel(
      'Waves and tail',
      note(
        `${whole(total)} CTAs${part}, on ${found.used} of ${sms} SMs, at most ${found.most} one after the other in a ` +
          `slot. The tail, in which a first SM has no CTA left, takes ${whole(tail)} cycles, ` +
          `${share(tail, found.end)} of the time; used SMs idle ${pct(found.idlePct)} of it after their last CTA.`,
      ),
      holder,
      legend(
        Array.from({ length: Math.min(found.most, 6) }, (_, i) => ({
          label: found.most > 6 ? `wave ${i + 1}, ${i + 7} ...` : `wave ${i + 1}`,
          colour: kColours[i],
        })),
      ),
      asTable(
        [
          { label: 'CTA', value: (row) => row.cta, numeric: true },
          { label: 'SM', value: (row) => row.sm, numeric: true },
          { label: 'Slot', value: (row) => row.slot, numeric: true },
          { label: 'Wave', value: (row) => row.wave + 1, numeric: true },
          { label: 'Begin', value: (row) => row.begin, show: (row) => whole(row.begin), numeric: true },
          { label: 'End', value: (row) => row.end, show: (row) => whole(row.end), numeric: true },
        ],
        () => found.bars,
        'CTAs',
      ),
    ),
  );
  redraw();
  return redraw;
}

export const sms: View = {
  id: 'sms',
  label: 'SMs',
  key: '7',
  render(context, root) {
    const top = load(context, root);
    const below = waves(context.kernel, context.run.machine.sms, root);
    return {
      ...top,
      redraw: () => {
        top.redraw?.();
        below();
      },
    };
  },
};
