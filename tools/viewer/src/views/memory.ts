// SPDX-License-Identifier: MIT
// The memory chart: traffic between SM, Shared, L1, the halves of L2, and DRAM; wide lines carry many bytes.
import type { Link } from '../data/types';
import { bytes, pct } from '../model/format';
import { widthOf } from '../ui/chart';
import { h, note, panel, s } from '../ui/dom';
import { scrollBox } from '../ui/scroll';
import { table } from '../ui/table';
import { tip } from '../ui/tooltip';
import type { View } from '../ui/view';

interface Place {
  column: number;
  row: number;
  rows: number;
}

const kPlaces: Record<string, Place> = {
  SM: { column: 0, row: 0, rows: 2 },
  Shared: { column: 1, row: 0, rows: 1 },
  L1: { column: 1, row: 1, rows: 1 },
  L2: { column: 2, row: 1, rows: 1 },
  'L2 far half': { column: 2, row: 0, rows: 1 },
  DRAM: { column: 3, row: 1, rows: 1 },
};
/** Pixels below which the names do not fit: the chart then scrolls. */
const kLeastWidth = 900;
const kBox = { width: 150, height: 84, gap: 76 };

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Nodes in their places; those that we do not know stand below. */
function layout(links: Link[], width: number): Map<string, Rect> {
  const names = [...new Set(links.flatMap((link) => [link.from, link.to]))];
  const step = (width - kBox.width - 4) / 3;
  let unknown = 0;
  return new Map(
    names.map((name) => {
      const place = Object.hasOwn(kPlaces, name)
        ? kPlaces[name]
        : { column: unknown % 4, row: 2 + Math.floor(unknown++ / 4), rows: 1 };
      return [
        name,
        {
          x: 2 + place.column * step,
          y: 12 + place.row * (kBox.height + kBox.gap),
          width: kBox.width,
          height: place.rows * kBox.height + (place.rows - 1) * kBox.gap,
        },
      ];
    }),
  );
}

function heat(peak: number | null, traffic: number): string {
  if (traffic === 0) {
    return 'link idle';
  }
  return peak === null || peak < 60 ? 'link' : peak < 80 ? 'link busy' : 'link high';
}

function wide(value: number, most: number): number {
  return value > 0 ? 1.5 + 12.5 * Math.sqrt(value / most) : 1;
}

/** Two lines between two boxes, reads toward the first, writes toward the second. */
function drawLink(link: Link, from: Rect, to: Rect, most: number): SVGGElement {
  const vertical = Math.abs(from.x - to.x) < 1;
  const group = s('g', { class: heat(link.peakPct, link.read + link.write) });
  const sign = vertical ? (to.y > from.y ? 1 : -1) : to.x > from.x ? 1 : -1;
  const middle = to.height <= from.height ? to : from;
  const [x1, y1] = vertical
    ? [from.x + from.width / 2, sign > 0 ? from.y + from.height : from.y]
    : [sign > 0 ? from.x + from.width : from.x, middle.y + middle.height / 2];
  const [x2, y2] = vertical
    ? [to.x + to.width / 2, sign > 0 ? to.y : to.y + to.height]
    : [sign > 0 ? to.x : to.x + to.width, middle === to ? y1 : to.y + to.height / 2];
  const line = (offset: number, value: number, reversed: boolean) => {
    const [dx, dy] = vertical ? [offset, 0] : [0, offset];
    const [a, b] = reversed
      ? [
          [x2 + dx, y2 + dy],
          [x1 + dx, y1 + dy],
        ]
      : [
          [x1 + dx, y1 + dy],
          [x2 + dx, y2 + dy],
        ];
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const size = 5 + wide(value, most) / 2;
    const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
    const [ex, ey] = [b[0] - ux * size * 1.4, b[1] - uy * size * 1.4];
    group.append(
      s('line', { x1: a[0], y1: a[1], x2: ex, y2: ey, 'stroke-width': wide(value, most) }),
      s('path', { d: `M${b[0]},${b[1]} L${ex - uy * size},${ey + ux * size} L${ex + uy * size},${ey - ux * size} Z` }),
    );
  };
  // What never moves one way has no line that way.
  const [reads, writes] = [link.read > 0 || link.write === 0, link.write > 0 || link.read === 0];
  if (reads) {
    line(-13, link.read, true);
  }
  if (writes) {
    line(13, link.write, false);
  }
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const text = (x: number, y: number, what: string, anchor = 'middle') =>
    what !== '' && group.append(s('text', { x, y, 'text-anchor': anchor }, what));
  const [read, written] = [reads ? `${bytes(link.read)} read` : '', writes ? `${bytes(link.write)} written` : ''];
  if (vertical) {
    text(cx - 26, cy + 4, read, 'end');
    text(cx + 26, cy + 4, written, 'start');
  } else {
    text(cx, cy - 28, read);
    text(cx, cy + 37, written);
  }
  tip(group, () => [
    `${link.from} - ${link.to}`,
    `read ${bytes(link.read)}, written ${bytes(link.write)}`,
    `${pct(link.peakPct)} of the peak`,
  ]);
  return group;
}

function drawBox(name: string, rect: Rect, hit: number | null, peak: number | null): SVGGElement {
  const lines = [peak === null ? '' : `${pct(peak)} of peak`, hit === null ? '' : `${pct(hit)} hit`].filter(
    (line) => line !== '',
  );
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2 - 9 * lines.length];
  const state = peak === null || peak < 60 ? '' : peak < 80 ? ' busy' : ' high';
  return s(
    'g',
    { class: `node${state}` },
    s('rect', { ...rect, rx: 9 }),
    s('text', { class: 'node-name', x, y: y + 5, 'text-anchor': 'middle' }, name),
    ...lines.map((line, i) => s('text', { x, y: y + 25 + 18 * i, 'text-anchor': 'middle' }, line)),
  );
}

function draw(links: Link[], width: number): SVGSVGElement {
  const places = layout(links, width);
  const most = links.reduce((high, link) => Math.max(high, link.read, link.write), 1);
  const height = Math.max(...[...places.values()].map((rect) => rect.y + rect.height)) + 12;
  const svg = s('svg', {
    class: 'chart memory',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': 'Traffic between the levels of memory; the table below has the numbers',
    style: { 'min-width': `${Math.min(width, kLeastWidth)}px` },
  });
  for (const link of links) {
    const [from, to] = [places.get(link.from), places.get(link.to)];
    if (from && to && from !== to) {
      svg.append(drawLink(link, from, to, most));
    }
  }
  for (const [name, rect] of places) {
    const into = links.filter((link) => link.to === name);
    const hit = into.find((link) => link.hitPct !== null)?.hitPct ?? null;
    const peaks = into.map((link) => link.peakPct).filter((peak) => peak !== null);
    svg.append(drawBox(name, rect, hit, peaks.length > 0 ? Math.max(...peaks) : null));
  }
  return svg;
}

export const memory: View = {
  id: 'memory',
  label: 'Memory',
  key: '3',
  render({ kernel }, root) {
    const { links } = kernel;
    if (links.length === 0) {
      root.append(panel('Memory chart', note('The result does not say what moved between the levels of memory.')));
      return {};
    }
    const holder = h('div', { class: 'scroll-x' });
    const box = scrollBox(holder, 'Memory chart');
    const redraw = () => holder.replaceChildren(draw(links, Math.max(kLeastWidth, widthOf(holder))));
    root.append(
      panel(
        'Memory chart',
        note(
          'Lines are as wide as the root of their bytes. Reads run toward the SM, ' +
            'writes away from it. A hit rate stands in the cache that was looked up; "of peak" is the traffic into ' +
            'the box. Boxes and lines change their colour at 60 % and again at 80 % of the peak.',
        ),
        box,
        table<Link>(
          [
            { label: 'From', value: (row) => row.from },
            { label: 'To', value: (row) => row.to },
            { label: 'Read', value: (row) => row.read, show: (row) => bytes(row.read), numeric: true },
            { label: 'Written', value: (row) => row.write, show: (row) => bytes(row.write), numeric: true },
            { label: 'Of peak', value: (row) => row.peakPct, show: (row) => pct(row.peakPct), numeric: true },
            { label: 'Hit rate', value: (row) => row.hitPct, show: (row) => pct(row.hitPct), numeric: true },
          ],
          links,
          { caption: 'Traffic', sortable: true },
        ),
      ),
    );
    redraw();
    return { redraw };
  },
};
