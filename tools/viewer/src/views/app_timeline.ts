// SPDX-License-Identifier: MIT
// An application over time: streams and threads, below them memory and links, on one axis.
import type { Application, LinkOverTime, Stepped } from '../data/application';
import { activityAt, firstFrom, peaks } from '../model/lanes';
import { bytes, plural, scaled, time } from '../model/format';
import { legend, widthOf } from '../ui/chart';
import { button, h, note, panel } from '../ui/dom';
import { takeKeys } from '../ui/input';
import { drawLanes, kindColour, kLaneMargins, laneAt, type LanePicture } from '../ui/lanecanvas';
import { stepChart, type StepChart, type Steps } from '../ui/linechart';
import { kColours } from '../ui/palette';
import { asTable } from '../ui/table';
import { TimeAxis } from '../ui/timeaxis';
import { hideTip, showTip } from '../ui/tooltip';
import type { Context, Place, View } from '../ui/view';

const kMostParts = 500;
const kMostLines = 8;
const kLeastSpan = 100;
const kGiga = 1e9;

class AppTimeline {
  private readonly canvas = h('canvas', { class: 'lanes', 'aria-hidden': 'true' });
  private readonly charts = h('div', { class: 'charts' });
  readonly main = h(
    'div',
    {
      tabindex: '0',
      role: 'application',
      'aria-label':
        'Timeline. Left and right go to the activity before and after, up and down change the row, ' +
        'plus and minus zoom.',
    },
    this.canvas,
    this.charts,
  );
  private readonly says = h('div', { class: 'readout', role: 'status' });
  private readonly axis: TimeAxis;
  private row = 0;
  private frame = 0;

  constructor(
    private readonly context: Context,
    private readonly app: Application,
  ) {
    this.axis = new TimeAxis({
      full: [0, app.spanNs],
      least: Math.min(kLeastSpan, app.spanNs),
      margins: kLaneMargins,
      changed: (range) => this.changed(range),
      hover: (at, event) => this.hover(at, event),
      leave: hideTip,
      click: (at, event) => this.click(at, event),
    });
    const first = app.lanes[0]?.from ?? -1;
    this.axis.cursor = first >= 0 ? app.activities.begin[first] : 0;
    this.axis.attach(this.main);
  }

  private picture(): LanePicture {
    return { app: this.app, lo: this.axis.lo, hi: this.axis.hi, selected: this.row, width: widthOf(this.main) };
  }

  element(): HTMLElement {
    const toolbar = h(
      'div',
      { class: 'toolbar' },
      button('Zoom in', () => this.axis.zoom(0.5)),
      button('Zoom out', () => this.axis.zoom(2)),
      button('Show all', () => this.axis.all()),
      h(
        'span',
        { class: 'note note-screen' },
        'Drag over a part to see it larger; click an activity to read about it.',
      ),
    );
    takeKeys([toolbar, this.main], (event) => this.key(event));
    const used = [...new Set(this.app.activities.kind)].sort((a, b) => a - b);
    return h(
      'div',
      {},
      toolbar,
      legend(used.map((kind) => ({ label: this.app.kinds[kind].name, colour: kindColour(this.app.kinds[kind].key) }))),
      this.says,
      this.main,
      this.table(),
    );
  }

  private table(): HTMLElement {
    const of = this.app.activities;
    const rows = () => {
      const lane = this.app.lanes[this.row];
      const found: number[] = [];
      for (let i = lane?.from ?? 0; i < (lane?.to ?? 0) && of.begin[i] < this.axis.hi; ++i) {
        if (of.end[i] > this.axis.lo) {
          found.push(i);
        }
      }
      return found;
    };
    const at = (ns: number) => time(ns / 1000);
    return asTable<number>(
      [
        { label: 'Begin', value: (i) => of.begin[i], show: (i) => at(of.begin[i]), numeric: true },
        {
          label: 'Duration',
          value: (i) => of.end[i] - of.begin[i],
          show: (i) => at(of.end[i] - of.begin[i]),
          numeric: true,
        },
        { label: 'Name', value: (i) => of.names[of.name[i]] },
        { label: 'Kind', value: (i) => this.app.kinds[of.kind[i]].name },
        { label: 'On the critical path', value: (i) => (of.critical[i] === 1 ? 'yes' : 'no') },
      ],
      rows,
      'Activities of the chosen row that are in sight',
    );
  }

  place(): Place {
    return { row: String(this.row), ...this.axis.words() };
  }

  restore(place: Place): void {
    const row = Number(place.row);
    this.row = Number.isInteger(row) && row in this.app.lanes ? row : 0;
    this.axis.restore(place);
    this.draw();
  }

  private changed(range: boolean): void {
    this.context.moved();
    if (!range) {
      this.axis.place();
      this.explain();
    } else if (this.frame === 0) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  private rowOf(event: MouseEvent): number {
    return laneAt(event.clientY - this.canvas.getBoundingClientRect().top, this.app);
  }

  private lines(row: number, at: number): string[] {
    const lane = this.app.lanes[row];
    const of = this.app.activities;
    const i = lane === undefined ? -1 : activityAt(of, lane, at);
    if (i < 0) {
      return [`${lane?.group ?? ''} ${lane?.name ?? ''} at ${time(at / 1000)}: nothing`.trim()];
    }
    return [
      of.names[of.name[i]],
      this.app.kinds[of.kind[i]].name,
      `${time((of.end[i] - of.begin[i]) / 1000)}, from ${time(of.begin[i] / 1000)} on`,
      of.critical[i] === 1 ? 'part of the critical path' : 'not on the critical path',
    ];
  }

  private hover(at: number, event: MouseEvent): void {
    const row = this.rowOf(event);
    if (row >= 0) {
      showTip(event, this.lines(row, at));
    } else {
      hideTip();
    }
  }

  private click(at: number, event: MouseEvent): void {
    const row = this.rowOf(event);
    this.row = row >= 0 ? row : this.row;
    this.axis.setCursor(at);
    this.main.focus({ preventScroll: true });
    this.draw();
  }

  /** Goes to the activity before or after the cursor. */
  private step(by: 1 | -1): void {
    const of = this.app.activities;
    const lane = this.app.lanes[this.row];
    if (lane === undefined) {
      return;
    }
    const next = by > 0 ? firstFrom(of, lane, this.axis.cursor + 0.5) : firstFrom(of, lane, this.axis.cursor - 0.5) - 1;
    if (next >= lane.from && next < lane.to) {
      this.axis.setCursor(of.begin[next]);
    }
  }

  private choose(row: number): void {
    if (row in this.app.lanes) {
      this.row = row;
      this.draw();
      this.context.moved();
    }
  }

  key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ArrowUp: () => this.choose(this.row - 1),
      ArrowDown: () => this.choose(this.row + 1),
    };
    if (Object.hasOwn(actions, event.key)) {
      actions[event.key]();
      event.preventDefault();
    } else {
      this.axis.key(event);
    }
  }

  private explain(): void {
    const lane = this.app.lanes[this.row];
    this.says.replaceChildren(
      h('strong', {}, lane === undefined ? '' : `${lane.group}, ${lane.name}`),
      ' ',
      this.lines(this.row, this.axis.cursor).join(' · '),
    );
  }

  private steps(name: string, of: Stepped, place: number, scale: number, count: number): Steps {
    const values = peaks(of, this.axis.lo, this.axis.hi, count).map((value) => value / scale);
    return { name, colour: kColours[place % kColours.length], values };
  }

  private stepCharts(width: number): StepChart[] {
    const { lo, hi } = this.axis;
    const count = Math.min(kMostParts, Math.max(1, Math.round(hi - lo)));
    const wide = (hi - lo) / count;
    const begin = Float64Array.from({ length: count }, (_, i) => lo + i * wide);
    const end = begin.map((at) => at + wide);
    const base = { width, ...kLaneMargins, lo, hi, begin, end, yMost: 0, xAxis: false, stacked: false, height: 170 };
    const memory = this.app.memory[0];
    const links = busiest(this.app);
    const most = Math.max(0, ...links.map((link) => link.peak));
    const charts: StepChart[] = [];
    if (memory !== undefined) {
      charts.push({
        ...base,
        yLabel: `GB of ${memory.gpu}`,
        label: `Memory of ${memory.gpu} over time`,
        series: [
          this.steps('allocated', memory.allocated, 0, kGiga, count),
          this.steps('reserved', memory.reserved, 7, kGiga, count),
        ],
      });
    }
    if (links.length > 0) {
      charts.push({
        ...base,
        yLabel: 'GB/s on links',
        label: 'What links carry over time',
        yMost: most,
        series: links.map((link, i) => this.steps(link.name, link.rate, i, 1, count)),
      });
    }
    return charts;
  }

  draw(): void {
    const picture = this.picture();
    drawLanes(this.canvas, picture);
    const charts = this.stepCharts(picture.width);
    const last = charts[charts.length - 1];
    if (last !== undefined) {
      Object.assign(last, {
        xAxis: true,
        height: last.height + 32,
        xLabel: 'time',
        xFormat: (at: number) => time(at / 1000),
      });
    }
    this.charts.replaceChildren(
      ...charts.flatMap((chart) => [
        stepChart(chart),
        legend(chart.series.map((steps) => ({ label: steps.name, colour: steps.colour, shape: 'line' as const }))),
      ]),
    );
    this.axis.place();
    this.explain();
  }
}

/** The links that carry most at a time, in their own order. */
function busiest(app: Application): LinkOverTime[] {
  const order = [...app.links].sort((a, b) => highest(b.rate) - highest(a.rate)).slice(0, kMostLines);
  return app.links.filter((link) => order.includes(link));
}

function highest(of: Stepped): number {
  return of.values.reduce((a, b) => Math.max(a, b), 0);
}

function remarks(app: Application): string {
  const links =
    app.links.length > kMostLines ? ` The ${kMostLines} busiest of ${app.links.length} links are drawn.` : '';
  const left = app.activities.leftOut;
  return (
    'A row is a stream of a GPU, or a thread of the CPU. A line below a bar: it is on the critical path.' +
    (left > 0 ? ` ${plural(left, 'later activity', 'later activities')} left out; --timeline has all of them.` : '') +
    links
  );
}

function peaksTable(app: Application): HTMLElement {
  return asTable(
    [
      { label: 'Link', value: (link) => link.name },
      { label: 'Peak', value: (link) => link.peak, show: (link) => scaled(link.peak * kGiga, 'B/s'), numeric: true },
      {
        label: 'Most carried',
        value: (link) => link.most,
        show: (link) => scaled(link.most * kGiga, 'B/s'),
        numeric: true,
      },
      { label: 'Bytes', value: (link) => link.bytes, show: (link) => bytes(link.bytes), numeric: true },
    ],
    () =>
      app.links.map(({ name, peak, rate }) => ({
        name,
        peak,
        most: highest(rate),
        bytes: rate.at.reduce(
          (sum, at, i) => sum + rate.values[i] * ((i + 1 < rate.at.length ? rate.at[i + 1] : app.spanNs) - at),
          0,
        ),
      })),
    'Links',
  );
}

export const appTimeline: View = {
  id: 'timeline',
  label: 'Timeline',
  key: '2',
  ofPage: true,
  keys: [
    ['← →', 'the activity before, after'],
    ['↑ ↓', 'the row above, below'],
    ['+ -', 'zoom'],
    ['PageUp PageDown', 'earlier, later'],
    ['0', 'the whole time'],
  ],
  render(context, root) {
    const { app } = context.page;
    if (app === null) {
      return {};
    }
    const view = new AppTimeline(context, app);
    root.append(
      panel('The application over time', note(remarks(app)), view.element(), app.links.length > 0 && peaksTable(app)),
    );
    view.draw();
    return {
      main: () => view.main,
      key: (event) => view.key(event),
      redraw: () => view.draw(),
      place: () => view.place(),
      restore: (place) => view.restore(place),
    };
  },
};
