// SPDX-License-Identifier: MIT
// What a check says: each task right, not yet right or waiting, and what to think of next.
import { button, h } from '../ui/dom';
import { readReport, type CheckReport, type Verdict } from './data';
import { message } from './messages';
import type { RunsHost } from './runs';
import { post } from './server';

const kMarks: Record<string, string> = { right: '✓', 'not yet': '✗', waiting: '…' };

function verdictOf(verdict: Verdict): HTMLElement {
  return h(
    'li',
    { class: `verdict-row ${verdict.standing.replace(' ', '-')}` },
    h('span', { class: 'mark', 'aria-hidden': 'true' }, kMarks[verdict.standing] ?? ''),
    h(
      'div',
      {},
      h('p', {}, h('code', {}, verdict.key), ' ', h('span', { class: 'standing' }, verdict.standing)),
      verdict.note !== '' && h('p', {}, verdict.note),
      verdict.hint !== '' && h('p', { class: 'hint' }, verdict.hint),
    ),
  );
}

export class Checks {
  readonly go = button('Check', () => void this.check(), { class: 'primary' });
  readonly output = h('div', { class: 'check-output' });

  constructor(private readonly host: RunsHost) {}

  private async check(): Promise<void> {
    if (!(await this.host.save())) {
      return;
    }
    this.go.disabled = true;
    this.go.textContent = 'Checking ...';
    const said = await post('check');
    this.go.disabled = false;
    this.go.textContent = 'Check';
    if (said.ok) {
      this.show(readReport(said.json));
    } else {
      this.output.replaceChildren(message(said.problem, this.host.files(), (place) => this.host.goTo(place)));
    }
  }

  private show(report: CheckReport): void {
    const points = `${report.points} of ${report.ofPoints} points`;
    this.output.replaceChildren(
      h('h3', {}, report.passed ? `Passed: ${points}` : points),
      ...report.notes.map((text) => h('p', { class: 'note' }, text)),
      ...report.problems.map((text) => message(text, this.host.files(), (place) => this.host.goTo(place))),
      h('ul', { class: 'verdicts' }, ...report.tasks.map(verdictOf)),
    );
    this.host.announce(report.passed ? `Passed, ${points}` : points);
    this.output.scrollIntoView({ block: 'nearest' });
  }
}
