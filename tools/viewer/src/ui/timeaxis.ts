// SPDX-License-Identifier: MIT
// A range of cycles that charts share: dragging selects a part of it, the wheel and keys zoom, a click sets the cursor.
import { h } from './dom';
import { zoomByWheel } from './input';

export interface Margins {
  left: number;
  right: number;
}

export interface AxisOptions {
  full: [number, number];
  /** The smallest range that can be shown. */
  least: number;
  margins: Margins;
  /** Called after the range (true) or only the cursor (false) changed. */
  changed: (range: boolean) => void;
  hover?: (cycle: number, event: MouseEvent) => void;
  leave?: () => void;
  click?: (cycle: number, event: MouseEvent) => void;
}

export class TimeAxis {
  lo: number;
  hi: number;
  cursor: number;
  private readonly marker = h('div', { class: 'time-cursor', 'aria-hidden': 'true' });
  private readonly selection = h('div', { class: 'time-selection', 'aria-hidden': 'true', hidden: true });
  private element: HTMLElement | null = null;
  private from: number | null = null;

  constructor(private readonly options: AxisOptions) {
    [this.lo, this.hi] = options.full;
    this.cursor = options.full[0];
  }

  /** Makes an element with charts in it follow the pointer. */
  attach(element: HTMLElement): void {
    this.element = element;
    element.classList.add('time');
    element.append(this.marker, this.selection);
    element.addEventListener('pointerdown', (event) => this.down(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.up(event));
    element.addEventListener('pointerleave', () => this.options.leave?.());
    zoomByWheel(element, (event) => this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.cycleAt(event.clientX)));
  }

  private get inner(): number {
    const { left, right } = this.options.margins;
    return Math.max(1, (this.element?.clientWidth ?? 900) - left - right);
  }

  cycleAt(clientX: number): number {
    const x = clientX - (this.element?.getBoundingClientRect().left ?? 0) - this.options.margins.left;
    return Math.min(this.hi, Math.max(this.lo, this.lo + (x / this.inner) * (this.hi - this.lo)));
  }

  private pixelOf(cycle: number): number {
    return this.options.margins.left + ((cycle - this.lo) / (this.hi - this.lo)) * this.inner;
  }

  /** Puts the marker of the cursor where it belongs. */
  place(): void {
    const seen = this.cursor >= this.lo && this.cursor <= this.hi;
    this.marker.hidden = !seen;
    this.marker.style.left = `${this.pixelOf(this.cursor)}px`;
  }

  setRange(lo: number, hi: number): void {
    const [first, last] = this.options.full;
    const wide = Math.min(last - first, Math.max(this.options.least, hi - lo));
    this.lo = Math.min(Math.max(first, lo), last - wide);
    this.hi = this.lo + wide;
    this.options.changed(true);
  }

  all(): void {
    this.setRange(...this.options.full);
  }

  zoom(factor: number, centre = this.cursor): void {
    const c = centre >= this.lo && centre <= this.hi ? centre : (this.lo + this.hi) / 2;
    const wide = Math.max(this.options.least, (this.hi - this.lo) * factor);
    const share = (c - this.lo) / (this.hi - this.lo);
    this.setRange(c - share * wide, c + (1 - share) * wide);
  }

  pan(share: number): void {
    const by = share * (this.hi - this.lo);
    this.setRange(this.lo + by, this.hi + by);
  }

  /** The range in sight, and the cursor, as words of the address. The whole range is left out. */
  words(): Record<string, string> {
    const [first, last] = this.options.full;
    const part = this.lo > first || this.hi < last;
    return {
      cycle: String(Math.floor(this.cursor)),
      ...(part ? { from: String(Math.round(this.lo)), to: String(Math.round(this.hi)) } : {}),
    };
  }

  /** What `words` gave; words that are no cycles are as if missing. */
  restore(place: Record<string, string>): void {
    const cycle = (word: string | undefined) => (/^\d{1,15}$/.test(word ?? '') ? Number(word) : null);
    const [from, to, at] = [cycle(place.from), cycle(place.to), cycle(place.cycle)];
    const [first, last] = this.options.full;
    if (at !== null) {
      this.cursor = Math.min(last, Math.max(first, at));
    }
    this.setRange(from ?? first, to !== null && to > (from ?? first) ? to : last);
  }

  /** Sets the cursor, and moves the range if it would be out of sight. */
  setCursor(cycle: number): void {
    this.cursor = Math.min(this.options.full[1], Math.max(this.options.full[0], cycle));
    if (this.cursor < this.lo || this.cursor >= this.hi) {
      const wide = this.hi - this.lo;
      this.setRange(this.cursor - wide / 2, this.cursor + wide / 2);
    } else {
      this.options.changed(false);
    }
  }

  /** Keys that every such chart has; true when the key was one of them. */
  key(event: KeyboardEvent): boolean {
    const actions: Record<string, () => void> = {
      '+': () => this.zoom(0.6),
      '=': () => this.zoom(0.6),
      '-': () => this.zoom(1 / 0.6),
      0: () => this.all(),
      PageDown: () => this.pan(0.5),
      PageUp: () => this.pan(-0.5),
    };
    if (!Object.hasOwn(actions, event.key)) {
      return false;
    }
    actions[event.key]();
    event.preventDefault();
    return true;
  }

  private down(event: PointerEvent): void {
    if (event.button === 0 && event.offsetX >= 0) {
      this.from = event.clientX;
      this.element?.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    if (this.from === null) {
      this.options.hover?.(this.cycleAt(event.clientX), event);
      return;
    }
    const wide = Math.abs(event.clientX - this.from);
    this.selection.hidden = wide < 5;
    const a = this.pixelOf(this.cycleAt(Math.min(this.from, event.clientX)));
    this.selection.style.left = `${a}px`;
    this.selection.style.width = `${this.pixelOf(this.cycleAt(Math.max(this.from, event.clientX))) - a}px`;
  }

  private up(event: PointerEvent): void {
    const { from } = this;
    this.from = null;
    this.selection.hidden = true;
    if (from === null) {
      return;
    }
    if (Math.abs(event.clientX - from) >= 5) {
      const [a, b] = [this.cycleAt(Math.min(from, event.clientX)), this.cycleAt(Math.max(from, event.clientX))];
      this.setRange(a, b);
    } else if (this.options.click) {
      this.options.click(this.cycleAt(event.clientX), event);
    } else {
      this.setCursor(this.cycleAt(event.clientX));
    }
  }
}
