// SPDX-License-Identifier: MIT
// What a view gets and gives.
import type { Kernel, Page, Run } from '../data/types';

export interface Target {
  view?: string;
  run?: number;
  kernel?: number;
  /** An instruction of the kernel's code. */
  index?: number;
  line?: number;
}

export interface Context {
  page: Page;
  run: Run;
  kernel: Kernel;
  /** Selects a run, a kernel, a view, an instruction. */
  go(target: Target): void;
  /** Says something to screen readers. */
  announce(text: string): void;
}

export interface Handle {
  /** Draws again: another width, another theme, or the page is printed. */
  redraw?(): void;
  /** Shows an instruction or a line. */
  focus?(target: Target): void;
}

export interface View {
  id: string;
  label: string;
  /** The key that opens it. */
  key: string;
  /** Lines of the help: keys and what they do in this view. */
  keys?: [string, string][];
  render(context: Context, root: HTMLElement): Handle;
}
