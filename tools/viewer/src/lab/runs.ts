// SPDX-License-Identifier: MIT
// What to simulate, and the report of it: the page that --html writes, in a frame.
import { str } from '../data/read';
import { button, chosen, choice, h } from '../ui/dom';
import { kCaches, kCycles, type LabRun, type LabState, type RunRequest } from './data';
import { message, type Place } from './messages';
import type { OfferedRun } from './commands';
import { post } from './server';

const kOwn = '';

export interface RunsHost {
  /** Saves; false when that fails, and nothing is to run. */
  save(): Promise<boolean>;
  files(): string[];
  goTo(place: Place): void;
  announce(text: string): void;
}

function field(label: string, title: string): { element: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', title });
  return { element: h('label', { class: 'choice' }, h('span', {}, label), input), input };
}

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

export class Runs {
  readonly form = h('form', { class: 'run-form', 'aria-label': 'What to run' });
  readonly output = h('div', { class: 'run-output' });
  private readonly go = h('button', { type: 'submit', class: 'primary' }, 'Run');
  private readonly params = field('--param', 'NAME=VALUE, separated by spaces');
  private readonly set = field('--set', 'KEY=VALUE of the architecture, separated by spaces');
  private readonly begin = field('cycles from', 'First cycle of the timeline');
  private readonly end = field('to', 'Behind the last cycle of the timeline');
  private selects: Record<'run' | 'trace' | 'arch' | 'cache', HTMLElement> | null = null;
  private runs: LabRun[] = [];
  private frame: HTMLIFrameElement | null = null;

  constructor(private readonly host: RunsHost) {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run();
    });
  }

  /** The choices; what is chosen stays where it still can be. */
  show(state: LabState): void {
    const before = this.selects === null ? null : this.request();
    this.runs = state.runs;
    const one = (name: 'trace' | 'arch', all: string[]) =>
      choice(
        `--${name}`,
        all.map((text): [string, string] => [text, text]),
        '',
        () => this.isOwn(),
      );
    this.selects = {
      run: choice(
        'Run',
        [...state.runs.map((run): [string, string] => [run.name, run.name]), [kOwn, 'as below']],
        '',
        (name) => this.fill(this.runs.find((run) => run.name === name)),
      ),
      trace: one('trace', state.traces),
      arch: one('arch', state.archs),
      cache: choice(
        '--cache',
        kCaches.map((text): [string, string] => [text, text]),
        '',
        () => this.isOwn(),
      ),
    };
    for (const { input } of [this.params, this.set]) {
      input.addEventListener('input', () => this.isOwn());
    }
    this.form.replaceChildren(
      h('div', { class: 'controls' }, this.selects.run, this.go),
      h('div', { class: 'controls' }, this.selects.trace, this.params.element),
      h('div', { class: 'controls' }, this.selects.arch, this.set.element, this.selects.cache),
      h('div', { class: 'controls cycles' }, this.begin.element, this.end.element),
    );
    // The student's own files first: those are what is worked on.
    const judged = state.files.filter((file) => file.judged).map((file) => file.name);
    const first = state.runs.find((run) => judged.includes(run.trace)) ?? state.runs[0];
    if (before !== null && state.traces.includes(before.trace)) {
      this.fill(before);
    } else {
      this.fill(first);
    }
  }

  /** Whether a command's files and machine are there. */
  offers(run: RunRequest): boolean {
    const has = (select: HTMLElement | undefined, text: string) =>
      [...(select?.querySelectorAll('option') ?? [])].some((option) => option.value === text);
    return has(this.selects?.trace, run.trace) && has(this.selects?.arch, run.arch);
  }

  fill(run: RunRequest | LabRun | undefined): void {
    if (run === undefined || this.selects === null) {
      return;
    }
    chosen(this.selects.trace, run.trace);
    chosen(this.selects.arch, run.arch);
    chosen(this.selects.cache, run.cache);
    this.params.input.value = run.params.join(' ');
    this.set.input.value = run.set.join(' ');
    this.begin.input.value = String(run.begin);
    this.end.input.value = String(run.end);
    chosen(this.selects.run, 'name' in run ? run.name : kOwn);
  }

  async run(): Promise<void> {
    if (this.go.disabled || !(await this.host.save())) {
      return;
    }
    this.go.disabled = true;
    this.go.textContent = 'Running ...';
    this.host.announce('Running');
    const said = await post('run', this.request());
    this.go.disabled = false;
    this.go.textContent = 'Run';
    if (said.ok) {
      this.showReport(str(said.json.report));
    } else {
      this.output.replaceChildren(message(said.problem, this.host.files(), (place) => this.host.goTo(place)));
      this.frame = null;
    }
  }

  private isOwn(): void {
    if (this.selects !== null) {
      chosen(this.selects.run, kOwn);
    }
  }

  private request(): RunRequest {
    const value = (name: 'trace' | 'arch' | 'cache') => this.selects?.[name].querySelector('select')?.value ?? '';
    const cycle = (input: HTMLInputElement, otherwise: number) =>
      /^\s*\d{1,15}\s*$/.test(input.value) ? Number(input.value) : otherwise;
    const begin = cycle(this.begin.input, 0);
    return {
      trace: value('trace'),
      arch: value('arch'),
      params: words(this.params.input.value),
      set: words(this.set.input.value),
      cache: value('cache'),
      begin,
      end: cycle(this.end.input, begin + kCycles),
    };
  }

  /** The report takes over which view the one before it showed. */
  private showReport(report: string): void {
    const last = this.frame?.contentWindow?.location.hash ?? '';
    const view = new URLSearchParams(last.slice(1)).get('view') ?? 'summary';
    const address = `../../${report}`;
    this.frame = h('iframe', { class: 'report', src: `${address}#view=${view}`, title: 'Report of the run' });
    this.output.replaceChildren(
      h('p', { class: 'note' }, h('a', { href: address, target: '_blank', rel: 'noopener' }, 'The report in a tab')),
      this.frame,
    );
    this.host.announce('The report is there');
    this.output.scrollIntoView({ block: 'nearest' });
  }
}

/** A button beside a command of the handout. */
export function runButton({ run, words }: OfferedRun, runs: Runs): HTMLElement {
  const title = `Run ${run.trace} on ${run.arch}${run.params.map((param) => ` ${param}`).join('')}`;
  return button(
    words === '' ? 'Run' : `Run ${words}`,
    () => {
      runs.fill(run);
      void runs.run();
    },
    { class: 'run-command', title, 'aria-label': title },
  );
}
