// SPDX-License-Identifier: MIT
// The kernel over time: IPC, warps by state, throughput and hit rates of each recorded interval, on one axis.
import { stateName } from '../data/states';
import type { Series } from '../data/types';
import { pct, plain, plural, whole } from '../model/format';
import { groupAt, rates, type Rates } from '../model/series';
import { legend, widthOf } from '../ui/chart';
import { missingDetails } from '../ui/details';
import { button, h, note, panel, say } from '../ui/dom';
import { takeKeys } from '../ui/input';
import { stepChart, type StepChart, type Steps } from '../ui/linechart';
import { kColours, stateColour } from '../ui/palette';
import { asTable } from '../ui/table';
import { TimeAxis } from '../ui/timeaxis';
import { hideTip, showTip } from '../ui/tooltip';
import type { Context, Place, View } from '../ui/view';

const kMargins = { left: 56, right: 14 };
const kMostGroups = 700;
/** Units have one colour in all charts. */
const kUnits = ['L1', 'Shared memory', 'L2', 'DRAM'];

class Timeline {
  private readonly charts = h('div', { class: 'charts' });
  readonly main = h(
    'div',
    {
      tabindex: '0',
      role: 'application',
      'aria-label': 'Charts over time. Left and right move the cursor, plus and minus zoom, 0 shows all.',
    },
    this.charts,
  );
  private readonly status = h('p', { class: 'readout', role: 'status' });
  private readonly axis: TimeAxis;
  private shown: Rates;

  constructor(
    private readonly context: Context,
    private readonly series: Series,
  ) {
    this.axis = new TimeAxis({
      full: [0, series.ends[series.count - 1]],
      least: Math.min(series.interval * 4, series.ends[series.count - 1]),
      margins: kMargins,
      changed: (range) => this.changed(range),
      hover: (cycle, event) => showTip(event, this.lines(groupAt(this.shown, cycle))),
      leave: hideTip,
    });
    this.axis.cursor = series.ends[series.count >> 1] - series.interval;
    this.shown = this.rates();
    this.axis.attach(this.main);
  }

  private rates(): Rates {
    const { run } = this.context;
    return rates(this.series, run.machine, run.clockMhz, this.axis.lo, this.axis.hi, kMostGroups);
  }

  element(): HTMLElement {
    const toolbar = h(
      'div',
      { class: 'toolbar' },
      button('Zoom in', () => this.axis.zoom(0.5)),
      button('Zoom out', () => this.axis.zoom(2)),
      button('Show all', () => this.axis.all()),
      h('span', { class: 'note note-screen' }, 'Drag over a part to see it larger; click to set the cursor.'),
    );
    takeKeys([toolbar, this.main], (event) => this.key(event));
    return h(
      'div',
      {},
      toolbar,
      this.status,
      this.main,
      asTable<number>(
        [
          {
            label: 'From cycle',
            value: (i) => this.shown.begin[i],
            show: (i) => whole(this.shown.begin[i]),
            numeric: true,
          },
          { label: 'IPC', value: (i) => this.shown.ipc[i], show: (i) => plain(this.shown.ipc[i]), numeric: true },
          {
            label: 'Warps an SM',
            value: (i) => this.shown.warps[i],
            show: (i) => plain(this.shown.warps[i]),
            numeric: true,
          },
          ...[...this.shown.throughput.keys()].map((name) => ({
            label: `${name}, of peak`,
            numeric: true,
            value: (i: number) => this.shown.throughput.get(name)?.[i] ?? 0,
            show: (i: number) => pct(this.shown.throughput.get(name)?.[i] ?? 0),
          })),
          ...[...this.shown.hits.keys()].map((name) => ({
            label: `${name} hit rate`,
            numeric: true,
            value: (i: number) => this.shown.hits.get(name)?.[i] ?? 0,
            show: (i: number) => pct(this.shown.hits.get(name)?.[i] ?? null),
          })),
        ],
        () => Array.from(this.shown.begin, (_, i) => i),
        'Intervals',
      ),
    );
  }

  key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      const { begin, end } = this.shown;
      const next = groupAt(this.shown, this.axis.cursor) + step;
      const at = Math.max(0, next);
      this.axis.setCursor(at < begin.length ? begin[at] : end[end.length - 1]);
      event.preventDefault();
    } else {
      this.axis.key(event);
    }
  }

  place(): Place {
    return this.axis.words();
  }

  restore(place: Place): void {
    this.axis.restore(place);
  }

  private changed(range: boolean): void {
    if (range) {
      this.draw();
    } else {
      this.moved();
    }
    this.context.moved();
  }

  private moved(): void {
    this.axis.place();
    say(this.status, this.lines(groupAt(this.shown, this.axis.cursor)).join(' · '));
  }

  private lines(i: number): string[] {
    const of = this.shown;
    const top = [...of.states]
      .map(([key, values]): [string, number] => [key, values[i]])
      .filter(([key, value]) => value > 0 && key !== 'selected')
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3);
    return [
      `cycles ${whole(of.begin[i])} to ${whole(of.end[i])}`,
      `IPC ${plain(of.ipc[i])}`,
      `${plain(of.warps[i])} warps an SM`,
      ...top.map(([key, value]) => `${plain(value)} in ${this.labelOf(key)}`),
      ...[...of.throughput].map(([name, values]) => `${name} ${pct(values[i])}`),
      ...[...of.hits].filter(([, values]) => values[i] >= 0).map(([name, values]) => `${name} hits ${pct(values[i])}`),
    ];
  }

  private labelOf(key: string): string {
    return stateName(this.context.run.states, key);
  }

  private stateSteps(): Steps[] {
    const { run } = this.context;
    const known = [...run.states]
      .reverse()
      .map((state) => state.key)
      .filter((key) => this.shown.states.has(key));
    const others = [...this.shown.states.keys()].filter((key) => !known.includes(key));
    return [...known, ...others].map((key) => ({
      name: this.labelOf(key),
      colour: stateColour(key),
      values: this.shown.states.get(key) ?? new Float64Array(0),
    }));
  }

  private named(values: Map<string, Float64Array>): Steps[] {
    return [...values].map(([name, list]) => ({
      name,
      colour: kColours[Math.max(0, kUnits.indexOf(name))],
      values: list,
    }));
  }

  draw(): void {
    this.shown = this.rates();
    const { kernel } = this.context;
    const { begin, end } = this.shown;
    const [width, lo, hi] = [widthOf(this.main), this.axis.lo, this.axis.hi];
    const base = { width, ...kMargins, lo, hi, begin, end, yMost: 0, xAxis: false, stacked: false };
    const theoretical = (kernel.occupancy.theoreticalPct / 100) * kernel.occupancy.maxWarps;
    // A few warps of many that would fit are seen only on an axis of their own.
    const fits = theoretical > 0 && theoretical <= 5 * this.shown.warps.reduce((a, b) => Math.max(a, b), 0);
    const charts: StepChart[] = [
      {
        ...base,
        height: 150,
        yLabel: 'IPC',
        label: 'Warp instructions a cycle and SM',
        series: [{ name: 'IPC', colour: 'var(--bar)', values: this.shown.ipc }],
      },
      {
        ...base,
        height: 250,
        yLabel: `warps an SM, by state${fits ? '' : `; theoretical occupancy is ${plain(theoretical)}`}`,
        label: 'Warps an SM by state',
        stacked: true,
        series: this.stateSteps(),
        yMost: fits ? theoretical * 1.12 : 0,
        ...(fits ? { limit: { at: theoretical, name: 'theoretical occupancy' } } : {}),
      },
      {
        ...base,
        height: 190,
        yLabel: '% of peak',
        label: 'Throughput in percent of the peak',
        yMost: 100,
        series: this.named(this.shown.throughput),
      },
      {
        ...base,
        height: 190,
        yLabel: 'hit rate, %',
        label: 'Hit rates in percent',
        yMost: 100,
        series: this.named(this.shown.hits),
      },
    ].filter((chart) => chart.series.length > 0);
    charts[charts.length - 1].xAxis = true;
    charts[charts.length - 1].height += 32;
    this.charts.replaceChildren(
      ...charts.flatMap((chart) => [
        stepChart(chart),
        chart.series.length > 1
          ? legend(
              chart.series.map((steps) => ({
                label: steps.name,
                colour: steps.colour,
                shape: chart.stacked ? ('square' as const) : ('line' as const),
              })),
            )
          : h('span', {}),
      ]),
    );
    this.moved();
  }
}

export const series: View = {
  id: 'series',
  label: 'Time series',
  key: '6',
  keys: [
    ['← →', 'the interval before, after'],
    ['+ -', 'zoom'],
    ['PageUp PageDown', 'earlier, later'],
    ['0', 'the whole kernel'],
  ],
  render(context, root) {
    const { kernel } = context;
    if (kernel.series === null) {
      root.append(
        panel('Time series', missingDetails(kernel, 'This result has no time series.', 'gpusim ... --record series')),
      );
      return {};
    }
    const idle = kernel.smCtas.filter((ctas) => ctas === 0).length;
    const view = new Timeline(context, kernel.series);
    root.append(
      panel(
        'The kernel over time',
        note(
          `Recorded in intervals of ${whole(kernel.series.interval)} cycles; ` +
            'where more of them are in sight than fit, each step is the mean of several.' +
            (idle > 0 ? ` Means are over all SMs, also over the ${plural(idle, 'SM')} without a CTA.` : ''),
        ),
        view.element(),
      ),
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
