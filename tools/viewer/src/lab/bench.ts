// SPDX-License-Identifier: MIT
// The page of a lab: the handout, and beside it the files, the check and the run.
import { button, h } from '../ui/dom';
import { commandsIn, runsOf } from './commands';
import { Checks } from './checks';
import { readState, type LabFacts } from './data';
import { Files } from './files';
import { message } from './messages';
import { Runs, runButton, type RunsHost } from './runs';
import { get, post, type Said } from './server';

export class Bench {
  private readonly live = h('div', { class: 'hidden', 'aria-live': 'polite' });
  private readonly work = h('div', { class: 'work' });
  private readonly files = new Files((file) => this.again(file));
  private readonly runs: Runs;
  private readonly checks: Checks;

  constructor(
    private readonly facts: LabFacts,
    private readonly student: string,
    private readonly folder: string,
    private readonly handout: HTMLElement,
  ) {
    const host: RunsHost = {
      save: () => this.files.save(),
      files: () => this.files.names,
      goTo: (place) => this.files.goTo(place.file, place.line, place.column),
      announce: (text) => {
        this.live.textContent = text;
      },
    };
    this.runs = new Runs(host);
    this.checks = new Checks(host);
  }

  start(root: HTMLElement): void {
    this.handout.hidden = false;
    root.replaceChildren(
      h('main', { class: 'bench' }, h('div', { class: 'reading', tabindex: '0' }, this.handout), this.work),
      this.live,
    );
    void this.load();
  }

  private async load(): Promise<void> {
    if (this.facts.begun) {
      this.took(await get('state'));
      return;
    }
    this.work.replaceChildren(
      h(
        'section',
        { class: 'panel' },
        h('h2', {}, 'Begin'),
        h('p', {}, `The files of the lab, with values for ${this.student}, go to the folder`),
        h('p', {}, h('code', {}, this.folder)),
        button('Begin', () => void post('begin').then((said) => this.took(said)), { class: 'primary' }),
      ),
    );
  }

  private took(said: Said): void {
    if (!said.ok) {
      this.work.replaceChildren(message(said.problem, [], () => undefined));
      return;
    }
    const state = readState(said.json);
    this.files.show(state.files);
    this.runs.show(state);
    this.work.replaceChildren(
      h('section', { class: 'panel' }, h('h2', { class: 'hidden' }, 'Files'), this.files.element),
      h(
        'section',
        { class: 'panel' },
        h('div', { class: 'check-head' }, h('h2', {}, 'Check'), this.checks.go),
        this.checks.output,
      ),
      h('section', { class: 'panel' }, h('h2', {}, 'Run'), this.runs.form, this.runs.output),
    );
    this.addButtons();
  }

  private async again(file: string): Promise<void> {
    this.took(await post('again', { file }));
  }

  /** A button for each command of the handout that the page can do. */
  private addButtons(): void {
    this.handout.querySelectorAll('.commands').forEach((each) => each.remove());
    for (const block of this.handout.querySelectorAll('pre')) {
      const runs = commandsIn(block.textContent ?? '')
        .flatMap(runsOf)
        .filter(({ run }) => this.runs.offers(run));
      if (runs.length > 0) {
        block.after(h('div', { class: 'commands controls' }, ...runs.map((offered) => runButton(offered, this.runs))));
      }
    }
  }
}
