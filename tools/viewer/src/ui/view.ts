// SPDX-License-Identifier: MIT
// What a view gets and gives.
import type { Kernel, Page, Run } from '../data/types';

/** What a view shows, as words of the address: the chosen cycle, the order of rows ... */
export type Place = Record<string, string>;

export interface Target {
  view?: string;
  run?: number;
  kernel?: number;
  /** An instruction of the kernel's code. */
  index?: number;
  line?: number;
  /** What the view is to show. */
  place?: Place;
}

export interface Context {
  page: Page;
  run: Run;
  kernel: Kernel;
  /** Selects a run, a kernel, a view, an instruction. */
  go(target: Target): void;
  /** Says something to screen readers. */
  announce(text: string): void;
  /** The view shows something else than before: the address is to say so. */
  moved(): void;
}

export interface Handle {
  /** Draws again: another width, another theme, or the page is printed. */
  redraw?(): void;
  /** Takes the focus when the view is reached by its key or an address, and with it the keys of the view. */
  main?(): HTMLElement;
  /** Takes a key that nothing else uses, wherever the focus is. */
  key?(event: KeyboardEvent): void;
  /** Shows an instruction or a line. */
  focus?(target: Target): void;
  /** What the view shows; `restore` of the same view brings it back. */
  place?(): Place;
  /** Shows what the address says. What is missing or makes no sense is as in a new view. */
  restore?(place: Place): void;
}

export interface View {
  id: string;
  label: string;
  /** The key that opens it. */
  key: string;
  /** It shows the page, not the selected run: its place outlasts a change of the run. */
  ofPage?: boolean;
  /** Lines of the help: keys and what they do in this view. */
  keys?: [string, string][];
  render(context: Context, root: HTMLElement): Handle;
}
