// SPDX-License-Identifier: MIT
// The recorded warps of an SM, cycle by cycle, and for the chosen cycle why the warp does not issue.
import type { Track, Watch } from '../data/types';
import { plural, whole } from '../model/format';
import { before, extent, stepIssue, stepState } from '../model/timeline';
import { emptySlot, why } from '../model/why';
import { legend, widthOf } from '../ui/chart';
import { button, choice, chosen, h, missing, note, panel } from '../ui/dom';
import { takeKeys } from '../ui/input';
import { stateColour } from '../ui/palette';
import { asTable } from '../ui/table';
import { TimeAxis } from '../ui/timeaxis';
import { hideTip, showTip } from '../ui/tooltip';
import type { Context, Place, View } from '../ui/view';
import { describe, drawWarps, kMargins, rowAt, type Picture } from '../ui/warpcanvas';
import { laneBox, neighbours } from './warps_beside';

const kSingleCycles = 60;

class Warps {
  private readonly canvas = h('canvas', { class: 'wide', 'aria-hidden': 'true' });
  readonly main = h(
    'div',
    {
      class: 'warps',
      tabindex: '0',
      role: 'application',
      'aria-label':
        'Warps over time. Left and right step by a cycle, with Shift by an instruction; comma and full stop by a ' +
        'change of state; up and down choose a warp; plus and minus zoom.',
    },
    this.canvas,
  );
  private readonly says = h('section', { class: 'why', 'aria-label': 'The chosen cycle', 'aria-live': 'polite' });
  private readonly tracks: Track[];
  private readonly axis: TimeAxis;
  private row = 0;
  private frame = 0;

  constructor(
    private readonly context: Context,
    private readonly watch: Watch,
    sm: number,
  ) {
    const { kernel } = context;
    this.tracks = watch.tracks
      .filter((track) => track.kernel === kernel.index && track.sm === sm)
      .sort((a, b) => a.subCore - b.subCore || a.slot - b.slot);
    const full = extent(watch, this.tracks);
    this.axis = new TimeAxis({
      full,
      least: Math.min(12, full[1] - full[0]),
      margins: kMargins,
      changed: (range) => this.changed(range),
      hover: (cycle, event) => this.hover(cycle, event),
      leave: hideTip,
      click: (cycle, event) => this.click(cycle, event),
    });
    this.axis.cursor = this.start(Math.floor((full[0] + full[1]) / 2));
    this.axis.attach(this.main);
  }

  /** A cycle in which the first slot has a warp: this one, or one before it. */
  private start(middle: number): number {
    const [track] = this.tracks;
    const place = before(this.watch, track, middle);
    return place < 0 || middle < this.watch.end[place] ? middle : this.watch.begin[place];
  }

  element(): HTMLElement {
    const move = (label: string, title: string, action: () => void) => button(label, action, { title });
    const toolbar = h(
      'div',
      { class: 'toolbar' },
      h(
        'span',
        { class: 'group', role: 'group', 'aria-label': 'Step' },
        move('◀ state', 'the change of state before (,)', () => this.state(-1)),
        move('◀ instruction', 'the issue before (Shift ←)', () => this.issue(-1)),
        move('◀ cycle', 'the cycle before (←)', () => this.cycle(-1)),
        move('cycle ▶', 'the next cycle (→)', () => this.cycle(1)),
        move('instruction ▶', 'the next issue (Shift →)', () => this.issue(1)),
        move('state ▶', 'the next change of state (.)', () => this.state(1)),
      ),
      h(
        'span',
        { class: 'group', role: 'group', 'aria-label': 'Zoom' },
        move('+', 'zoom in (+)', () => this.axis.zoom(0.5)),
        move('−', 'zoom out (-)', () => this.axis.zoom(2)),
        move('Single cycles', 'zoom to single cycles (c)', () => this.near()),
        move('All', 'the whole recording (0)', () => this.axis.all()),
      ),
    );
    takeKeys([toolbar, this.main], (event) => this.key(event));
    return h(
      'div',
      {},
      toolbar,
      h('div', { class: 'with-detail wide-detail' }, h('div', {}, this.main, this.legend()), this.says),
    );
  }

  private legend(): HTMLElement {
    const { states } = this.context.run;
    const seen = new Set<number>();
    for (const track of this.tracks) {
      for (let i = track.from; i < track.to && seen.size < states.length; ++i) {
        seen.add(this.watch.state[i]);
      }
    }
    return legend(
      [...seen]
        .sort((a, b) => b - a)
        .map((place) => ({
          label: states[place] === undefined ? 'unknown' : `${states[place].label} (${states[place].glyph})`,
          colour: stateColour(states[place]?.key ?? ''),
        })),
    );
  }

  private picture(): Picture {
    return {
      watch: this.watch,
      tracks: this.tracks,
      states: this.context.run.states,
      lo: this.axis.lo,
      hi: this.axis.hi,
      selected: this.row,
      width: widthOf(this.main),
    };
  }

  draw(): void {
    drawWarps(this.canvas, this.picture());
    this.axis.place();
    this.explain();
  }

  /** The slot of the chosen warp as "sub-core.slot", the cycle, and the range in sight. */
  place(): Place {
    const track = this.tracks[this.row];
    return { sm: String(track.sm), warp: `${track.subCore}.${track.slot}`, ...this.axis.words() };
  }

  restore(place: Place): void {
    const row = this.tracks.findIndex((track) => `${track.subCore}.${track.slot}` === place.warp);
    this.row = Math.max(0, row);
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
    return rowAt(event.clientY - this.canvas.getBoundingClientRect().top, this.tracks.length);
  }

  private hover(cycle: number, event: MouseEvent): void {
    const row = this.rowOf(event);
    if (row >= 0) {
      showTip(event, describe(this.picture(), row, cycle));
    } else {
      hideTip();
    }
  }

  private click(cycle: number, event: MouseEvent): void {
    const row = this.rowOf(event);
    this.row = row >= 0 ? row : this.row;
    this.axis.setCursor(Math.floor(cycle));
    this.main.focus({ preventScroll: true });
    this.draw();
  }

  private cycle(by: number): void {
    this.axis.setCursor(Math.floor(this.axis.cursor) + by);
  }

  private goTo(cycle: number | null): void {
    if (cycle !== null) {
      this.axis.setCursor(cycle);
    }
  }

  private state(by: 1 | -1): void {
    this.goTo(stepState(this.watch, this.tracks[this.row], this.axis.cursor, by));
  }

  private issue(by: 1 | -1): void {
    const selected = this.context.run.states.findIndex((state) => state.key === 'selected');
    this.goTo(stepIssue(this.watch, this.tracks[this.row], this.axis.cursor, by, selected));
  }

  private near(): void {
    const half = kSingleCycles / 2;
    this.axis.setRange(this.axis.cursor - half, this.axis.cursor + half);
  }

  private choose(row: number): void {
    if (row >= 0 && row < this.tracks.length) {
      this.row = row;
      this.draw();
      this.context.moved();
    }
  }

  key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? this.issue(-1) : this.cycle(-1)),
      ArrowRight: () => (event.shiftKey ? this.issue(1) : this.cycle(1)),
      ArrowUp: () => this.choose(this.row - 1),
      ArrowDown: () => this.choose(this.row + 1),
      ',': () => this.state(-1),
      '.': () => this.state(1),
      c: () => this.near(),
    };
    if (Object.hasOwn(actions, event.key)) {
      actions[event.key]();
      event.preventDefault();
    } else {
      this.axis.key(event);
    }
  }

  private explain(): void {
    const { run, kernel } = this.context;
    const track = this.tracks[this.row];
    const cycle = Math.floor(this.axis.cursor);
    const found = why(run, kernel, this.watch, track, cycle);
    const head = h('h4', {}, `Cycle ${whole(cycle)}`);
    if (found === null) {
      this.says.replaceChildren(head, h('p', {}, emptySlot(this.watch, track, cycle)));
      return;
    }
    const jump = (label: string, index: number) => button(label, () => this.context.go({ view: 'source', index }));
    this.says.replaceChildren(
      head,
      h('p', { class: 'who' }, found.who),
      ...found.sentences.map((sentence, i) => h('p', { class: i === 0 ? 'first' : undefined }, sentence)),
      h(
        'div',
        { class: 'toolbar' },
        found.index >= 0 && jump(`Show instruction ${found.index}`, found.index),
        found.producer !== null && jump(`Show its producer ${found.producer}`, found.producer),
      ),
      laneBox(found),
      neighbours(found, track),
    );
  }

  table(): HTMLElement {
    const [watch, states] = [this.watch, this.context.run.states];
    const rows = () => {
      const track = this.tracks[this.row];
      const places: number[] = [];
      for (let i = track.from; i < track.to && places.length < 20_000; ++i) {
        if (watch.end[i] > this.axis.lo && watch.begin[i] < this.axis.hi) {
          places.push(i);
        }
      }
      return places;
    };
    return asTable<number>(
      [
        { label: 'Begin', value: (i) => watch.begin[i], show: (i) => whole(watch.begin[i]), numeric: true },
        { label: 'End', value: (i) => watch.end[i], show: (i) => whole(watch.end[i]), numeric: true },
        { label: 'CTA', value: (i) => watch.cta[i], numeric: true },
        { label: 'Warp', value: (i) => watch.warp[i], numeric: true },
        { label: 'State', value: (i) => states[watch.state[i]]?.label ?? 'unknown' },
        { label: 'Instruction', value: (i) => watch.index[i], numeric: true },
      ],
      rows,
      'Intervals of the chosen warp slot that are in sight',
    );
  }
}

export const warps: View = {
  id: 'warps',
  label: 'Warps',
  key: '8',
  keys: [
    ['← →', 'the cycle before, after'],
    ['Shift ← →', 'the instruction before, after'],
    [', .', 'the change of state before, after'],
    ['↑ ↓', 'the warp above, below'],
    ['+ -', 'zoom'],
    ['c', 'zoom to single cycles'],
    ['PageUp PageDown', 'earlier, later'],
    ['0', 'the whole recording'],
  ],
  render(context, root) {
    const { run, kernel } = context;
    const { watch } = run;
    const found = new Set(watch?.tracks.filter((track) => track.kernel === kernel.index).map((track) => track.sm));
    if (watch === null || found.size === 0) {
      root.append(
        panel(
          'Warps',
          missing(
            watch === null
              ? 'This result has no recorded warps.'
              : `No warp of kernel ${kernel.index} was recorded; other kernels have some.`,
            'gpusim ... --record warps=0',
          ),
        ),
      );
      return {};
    }
    const sms = [...found].sort((a, b) => a - b);
    const holder = h('div');
    let view: Warps;
    const show = (sm: number) => {
      view = new Warps(context, watch, sm);
      holder.replaceChildren(view.element(), view.table());
      view.draw();
    };
    const pick = choice(
      'SM',
      sms.map((sm) => [String(sm), String(sm)]),
      String(sms[0]),
      (value) => {
        show(Number(value));
        context.moved();
      },
    );
    root.append(
      panel(
        'Warps over time',
        note(
          `${plural(watch.count, 'interval')} recorded. A row is a slot of a ` +
            'sub-core for warps. Click a cycle to see why the warp does not issue; drag to zoom. The bars of a ' +
            'diverged warp are as high as its share of lanes.',
        ),
        sms.length > 1 && h('div', { class: 'toolbar' }, pick),
        holder,
      ),
    );
    show(sms[0]);
    return {
      main: () => view.main,
      key: (event) => view.key(event),
      redraw: () => view.draw(),
      place: () => view.place(),
      restore: (place) => {
        const sm = sms.find((known) => String(known) === place.sm) ?? sms[0];
        chosen(pick, String(sm));
        show(sm);
        view.restore(place);
      },
    };
  },
};
