// SPDX-License-Identifier: MIT
// Starts the viewer: decodes the data block, checks it, and shows it or says what is wrong with it.
import { App } from './app';
import { readPage } from './data/check';
import { decode, PageProblem } from './data/decode';
import { h } from './ui/dom';
import { applyTheme } from './ui/theme';

function showProblem(root: HTMLElement, error: unknown): void {
  const [message, advice] =
    error instanceof PageProblem
      ? [error.message, error.advice]
      : [
          `The viewer failed: ${error instanceof Error ? error.message : String(error)}`,
          'This is a defect of the viewer. Report it with this file.',
        ];
  root.replaceChildren(
    h('main', { class: 'problem' }, h('h1', {}, 'gpusim'), h('p', { role: 'alert' }, message), h('p', {}, advice)),
  );
}

async function start(): Promise<void> {
  const root = document.getElementById('app') as HTMLElement;
  const block = document.getElementById('gpusim-data');
  applyTheme();
  try {
    const page = readPage(await decode(block?.textContent ?? ''));
    block?.remove();
    new App(page, root).start();
  } catch (error) {
    showProblem(root, error);
  }
}

void start();
