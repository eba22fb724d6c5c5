// SPDX-License-Identifier: MIT
// One tooltip for all charts. What it says is also in the table beside the chart, so it is hidden from screen readers.
import { h } from './dom';

let box: HTMLElement | null = null;

export function showTip(event: MouseEvent, lines: string[]): void {
  if (box === null) {
    box = h('div', { class: 'tip', 'aria-hidden': 'true' });
    document.body.append(box);
  }
  box.replaceChildren(...lines.map((line) => h('div', {}, line)));
  box.style.display = 'block';
  const { offsetWidth: width, offsetHeight: height } = box;
  box.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - width - 8))}px`;
  box.style.top = `${Math.max(4, Math.min(event.clientY + 14, window.innerHeight - height - 8))}px`;
}

export function hideTip(): void {
  if (box !== null) {
    box.style.display = 'none';
  }
}

/** Shows lines while the pointer is over an element. */
export function tip(element: Element, lines: () => string[]): void {
  element.addEventListener('mousemove', (event) => showTip(event as MouseEvent, lines()));
  element.addEventListener('mouseleave', hideTip);
}
