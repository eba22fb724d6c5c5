// SPDX-License-Identifier: MIT
// The files of the work: one is edited, all are saved by themselves soon after each change.
import { str } from '../data/read';
import { button, h } from '../ui/dom';
import type { WorkFile } from './data';
import { Editor } from './editor';
import { post, type Said } from './server';

const kSaveAfterMs = 400;

interface Open extends WorkFile {
  /** What the server has. */
  saved: string;
}

export class Files {
  readonly element: HTMLElement;
  private readonly tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Files' });
  private readonly editor = new Editor(() => this.changed());
  private readonly status = h('p', { class: 'status', role: 'status' });
  private readonly conflict = h('div', { class: 'warning', role: 'alert', hidden: true });
  private files: Open[] = [];
  private current = 0;
  private waiting = 0;
  private saving: Promise<boolean> | null = null;

  /** `anew` writes a file as it was at the start. */
  constructor(private readonly anew: (file: string) => Promise<void>) {
    this.element = h(
      'section',
      { class: 'files', 'aria-label': 'Your files' },
      this.tabs,
      this.conflict,
      this.editor.element,
      h(
        'div',
        { class: 'toolbar' },
        this.status,
        button('Begin anew', () => void this.beginAnew(), {
          title: 'The file as it was at the start; yours is kept as FILE.old',
        }),
      ),
    );
    window.addEventListener('pagehide', () => this.saveNow(true));
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        this.saveNow(true);
      }
    });
  }

  get names(): string[] {
    return this.files.map((file) => file.name);
  }

  show(files: WorkFile[]): void {
    const name = this.files[this.current]?.name;
    this.files = files.map((file) => ({ ...file, saved: file.text }));
    this.open(Math.max(0, this.names.indexOf(name)));
  }

  /** Shows a place that a message names. */
  goTo(name: string, line: number, column: number): void {
    this.open(Math.max(0, this.names.indexOf(name)));
    this.editor.goTo(line, column);
  }

  /** All that is not saved yet; false when something could not be. */
  async save(): Promise<boolean> {
    window.clearTimeout(this.waiting);
    this.waiting = 0;
    while (this.saving !== null) {
      await this.saving;
    }
    this.saving = this.saveAll();
    const done = await this.saving;
    this.saving = null;
    return done;
  }

  private open(index: number): void {
    this.current = index;
    const file = this.files[index];
    this.tabs.replaceChildren(
      ...this.files.map((each, i) =>
        button(each.name, () => this.open(i), {
          'aria-pressed': String(i === index),
          class: each.judged ? undefined : 'given',
          title: each.judged ? 'A check looks at it' : 'For experiments: a check does not look at it',
        }),
      ),
    );
    this.conflict.hidden = true;
    this.editor.show(file.name, file.text, file.problem !== '');
    this.showStatus();
    if (file.problem !== '') {
      this.status.textContent = `${file.name} ${file.problem}`;
    }
  }

  private showStatus(): void {
    this.status.textContent = this.files.every((each) => each.text === each.saved) ? 'Saved' : 'Not saved yet ...';
  }

  private changed(): void {
    this.files[this.current].text = this.editor.text;
    this.showStatus();
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => void this.save(), kSaveAfterMs);
  }

  /** The page is being left: asks without waiting. */
  private saveNow(keepalive: boolean): void {
    for (const file of this.files) {
      if (file.text !== file.saved && this.saving === null) {
        void post('save', { file: file.name, version: file.version, text: file.text }, keepalive).then((said) =>
          this.took(file, file.text, said),
        );
      }
    }
  }

  private async saveAll(): Promise<boolean> {
    let done = true;
    for (const file of this.files) {
      if (file.text !== file.saved) {
        const text = file.text;
        const said = await post('save', { file: file.name, version: file.version, text });
        done = this.took(file, text, said) && done;
      }
    }
    return done;
  }

  private took(file: Open, text: string, said: Said): boolean {
    if (said.ok) {
      file.version = str(said.json.version);
      file.saved = text;
      this.showStatus();
    } else if (said.status === 412) {
      this.showConflict(file, str(said.json.version), str(said.json.text));
    } else {
      this.status.textContent = `Not saved. ${said.problem}`;
    }
    return said.ok;
  }

  /** Another program wrote the file: whose text is kept is for the student to say. */
  private showConflict(file: Open, version: string, text: string): void {
    const take = (chosen: string, saved: string) => {
      Object.assign(file, { version, text: chosen, saved });
      this.open(this.files.indexOf(file));
      void this.save();
    };
    this.status.textContent = 'Not saved.';
    this.conflict.hidden = false;
    this.conflict.replaceChildren(
      h('p', {}, `${file.name} was changed by another program.`),
      button('Keep the text of this page', () => take(file.text, text)),
      button('Take the text of the file', () => take(text, text)),
    );
  }

  private async beginAnew(): Promise<void> {
    if (await this.save()) {
      await this.anew(this.files[this.current].name);
    }
  }
}
