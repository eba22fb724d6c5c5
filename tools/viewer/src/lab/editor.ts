// SPDX-License-Identifier: MIT
// A plain text area with line numbers beside it.
import { h } from '../ui/dom';

export class Editor {
  readonly element: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly numbers = h('pre', { class: 'line-numbers', 'aria-hidden': 'true' });
  private lines = 0;

  constructor(changed: () => void) {
    this.area = h('textarea', {
      class: 'code',
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      'aria-label': 'Text of the file',
      on: {
        input: () => {
          this.count();
          changed();
        },
        scroll: () => this.follow(),
      },
    });
    this.element = h('div', { class: 'editor' }, this.numbers, this.area);
  }

  get text(): string {
    return this.area.value;
  }

  show(name: string, text: string, readOnly: boolean): void {
    this.area.value = text;
    this.area.readOnly = readOnly;
    this.area.setAttribute('aria-label', `Text of ${name}`);
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.count();
  }

  /** Puts the cursor there; lines and columns count from 1. */
  goTo(line: number, column: number): void {
    const lines = this.area.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    const at = before + Math.min(column - 1, lines[line - 1]?.length ?? 0);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = this.area.scrollHeight / Math.max(lines.length, 1);
    this.area.scrollTop = Math.max(0, (line - 5) * height);
  }

  private count(): void {
    const lines = this.area.value.split('\n').length;
    if (lines !== this.lines) {
      this.lines = lines;
      this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
    }
    this.follow();
  }

  private follow(): void {
    this.numbers.scrollTop = this.area.scrollTop;
  }
}
