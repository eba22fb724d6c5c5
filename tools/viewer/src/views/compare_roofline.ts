// SPDX-License-Identifier: MIT
// All results of a comparison on one roofline, each under the lowest roof of its levels of memory, and their traffic of
// DRAM: all kernels of a result together.
import { scaleLog } from 'd3-scale';
import type { ComparedRun, Comparison, TotalRoof } from '../data/comparison';
import { pct, plain, scaled, share, short } from '../model/format';
import { amount } from '../model/compare';
import { attainable } from '../model/roofline';
import { decades, frame, kShapes, legend, mark, widthOf } from '../ui/chart';
import { h, note, panel, s } from '../ui/dom';
import { kColours } from '../ui/palette';
import { table } from '../ui/table';
import { tip } from '../ui/tooltip';

interface Row {
  run: ComparedRun;
  place: number;
  roof: TotalRoof;
}

type Spot = Row & { intensity: number };

function rowsOf(comparison: Comparison): Row[] {
  return comparison.runs.flatMap((run, place) => run.roofs.map((roof) => ({ run, place, roof })));
}

/** Results of one GPU share a roof, which is then named once, without them. */
function roofsOf(spots: Spot[]): { peak: number; slope: number; label: string; dash: boolean }[] {
  const roofs = new Map<string, { peak: number; slope: number; what: string; names: Set<string>; place: number }>();
  for (const { run, place, roof } of spots) {
    const slope = roof.ridge > 0 ? roof.peak / roof.ridge : 0;
    const what = `${roof.level}, ${roof.class}`;
    const key = `${what} ${roof.peak} ${slope}`;
    const own = roofs.get(key) ?? { peak: roof.peak, slope, what, names: new Set(), place };
    own.names.add(run.name);
    roofs.set(key, own);
  }
  const slopes = new Set([...roofs.values()].map((roof) => roof.slope));
  return [...roofs.values()].map((roof) => ({
    peak: roof.peak,
    slope: roof.slope,
    label: `${slopes.size > 1 ? `${[...roof.names].join(', ')}: ` : ''}${roof.what} ${scaled(roof.peak, 'FLOP/s')}`,
    dash: roof.place > 0,
  }));
}

function draw(spots: Spot[], width: number): SVGSVGElement {
  const box = { width, height: Math.min(420, Math.max(280, width * 0.4)), left: 70, right: 16, top: 26, bottom: 44 };
  const roofs = roofsOf(spots);
  const ridges = roofs.map((roof) => (roof.slope > 0 ? roof.peak / roof.slope : 1));
  const xs = [...spots.map((spot) => spot.intensity), ...ridges];
  const ys = [...spots.map((spot) => spot.roof.flops), ...spots.map((spot) => spot.roof.roof)];
  const peaks = roofs.map((roof) => roof.peak);
  const x = scaleLog()
    .domain([Math.min(...xs) / 3, Math.max(...xs) * 4])
    .range([box.left, box.width - box.right]);
  const y = scaleLog()
    .domain([Math.min(...ys) / 3, Math.max(...peaks) * 3])
    .range([box.height - box.bottom, box.top]);
  const [x0, x1] = x.domain();
  const { svg, plot } = frame({
    box,
    x,
    y,
    xLabel: 'FLOP a byte',
    yLabel: 'FLOP/s',
    xTicks: decades(x0, x1),
    yTicks: decades(...(y.domain() as [number, number])),
    xFormat: (value) => (value >= 0.001 && value < 10_000 ? String(Number(value.toPrecision(3))) : scaled(value)),
    yFormat: (value) => scaled(value),
    label: `Roofline of ${spots.length} points; the table below has their values`,
  });
  for (const roof of roofs) {
    const corners = [x0, ...(roof.slope > 0 ? [roof.peak / roof.slope] : []), x1];
    plot.append(
      s('path', {
        class: 'roof',
        'stroke-dasharray': roof.dash ? '6 4' : undefined,
        d: corners.map((at, i) => `${i ? 'L' : 'M'}${x(at)},${y(attainable(at, roof.peak, roof.slope))}`).join(''),
      }),
      s(
        'text',
        { class: 'roof-label', x: box.width - box.right - 6, y: y(roof.peak) - 6, 'text-anchor': 'end' },
        roof.label,
      ),
    );
  }
  // Results with the same numbers stand around each other, the first one innermost.
  const same = (spot: Spot, i: number) =>
    spots.slice(0, i).filter((other) => other.intensity === spot.intensity && other.roof.flops === spot.roof.flops);
  for (const [i, spot] of [...spots.entries()].reverse()) {
    const size = 7 + 4 * same(spot, i).length;
    const shape = mark(kShapes[spot.place % kShapes.length], x(spot.intensity), y(spot.roof.flops), size);
    shape.classList.add('point');
    shape.style.fill = kColours[spot.place % kColours.length];
    tip(shape, () => [
      `${spot.run.name}: ${short(spot.run.source, 80)}`,
      `${spot.roof.class}: ${plain(spot.intensity)} FLOP a byte of ${spot.roof.level}`,
      `${scaled(spot.roof.flops, 'FLOP/s')}, ${share(spot.roof.flops, spot.roof.roof)} of the roof above it`,
    ]);
    plot.append(shape);
  }
  return svg;
}

function trafficTable(comparison: Comparison): HTMLElement {
  const speed = (run: ComparedRun) =>
    run.dramBytes !== null && (run.timeUs ?? 0) > 0 ? run.dramBytes / ((run.timeUs ?? 1) * 1e-6) : null;
  return table<ComparedRun>(
    [
      { label: 'Run', value: (run) => run.name },
      {
        label: 'DRAM bytes',
        value: (run) => run.dramBytes,
        show: (run) => amount(run.dramBytes, 'bytes'),
        numeric: true,
      },
      { label: 'Bytes/s', value: speed, show: (run) => amount(speed(run), 'bytes/s'), numeric: true },
      { label: 'Peak', value: (run) => run.dramPeak, show: (run) => amount(run.dramPeak, 'bytes/s'), numeric: true },
      {
        label: 'Of the peak',
        value: speed,
        show: (run) => (run.dramPeak > 0 ? pct((100 * (speed(run) ?? 0)) / run.dramPeak) : 'n/a'),
        numeric: true,
      },
    ],
    comparison.runs,
    { caption: 'Traffic of DRAM', hideCaption: true },
  );
}

function pointTable(rows: Row[]): HTMLElement {
  return table<Row>(
    [
      { label: 'Run', value: (row) => row.run.name },
      { label: 'Class', value: (row) => row.roof.class },
      { label: 'Level', value: (row) => (row.roof.intensity === null ? null : row.roof.level) },
      {
        label: 'FLOP a byte',
        value: (row) => row.roof.intensity,
        show: (row) => (row.roof.intensity === null ? 'no traffic' : plain(row.roof.intensity)),
        numeric: true,
      },
      { label: 'FLOP/s', value: (row) => row.roof.flops, show: (row) => scaled(row.roof.flops), numeric: true },
      { label: 'Roof', value: (row) => row.roof.roof, show: (row) => scaled(row.roof.roof), numeric: true },
      {
        label: 'Of it',
        value: (row) => row.roof.flops / Math.max(row.roof.roof, 1),
        show: (row) => share(row.roof.flops, row.roof.roof),
        numeric: true,
      },
      { label: 'The roof is', value: (row) => (row.roof.memorySide ? 'memory' : 'compute') },
    ],
    rows,
    { caption: 'Points of the roofline', hideCaption: true },
  );
}

/** The panel, and how to draw it again. */
export function rooflinePanel(comparison: Comparison): { element: HTMLElement; redraw: () => void } {
  const rows = rowsOf(comparison);
  const spots = rows.flatMap((row) =>
    row.roof.intensity !== null && row.roof.intensity > 0 && row.roof.flops > 0 && row.roof.peak > 0
      ? [{ ...row, intensity: row.roof.intensity }]
      : [],
  );
  const holder = h('div');
  const redraw = () => {
    if (spots.length > 0) {
      holder.replaceChildren(draw(spots, widthOf(holder)));
    }
  };
  const names = [...new Map(spots.map((spot) => [spot.place, spot.run.name]))];
  const element = panel(
    'Roofline of all results',
    note(
      rows.length === 0
        ? 'No result has FLOPs.'
        : spots.length === 0
          ? 'No result moved bytes, so none has a point.'
          : 'All kernels of a result together, under the roof of the level of memory whose roof is lowest.',
    ),
    holder,
    legend(
      names.map(([place, name]) => ({
        label: name,
        colour: kColours[place % kColours.length],
        shape: kShapes[place % kShapes.length],
      })),
    ),
    rows.length > 0 && pointTable(rows),
    trafficTable(comparison),
  );
  return { element, redraw };
}
