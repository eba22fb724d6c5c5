// SPDX-License-Identifier: MIT
// Starts a page of gpusim lab serve: the list of labs, or one of them.
import { arr, obj, str, strs } from '../data/read';
import { button, h } from '../ui/dom';
import { startTheme, toggleTheme } from '../ui/theme';
import { Bench } from './bench';
import { readFacts } from './data';
import { showLabs } from './labs';
import { addPictures } from './pictures/pictures';

function header(title: string, facts: string, isLab: boolean): HTMLElement {
  return h(
    'header',
    { class: 'top' },
    h('div', { class: 'brand' }, h('p', { class: 'title' }, `gpusim lab: ${title}`), h('p', {}, facts)),
    h(
      'div',
      { class: 'controls' },
      isLab && h('a', { href: '../../' }, 'All labs'),
      button('Theme', () => toggleTheme(), { title: 'Dark or light' }),
    ),
  );
}

function start(): void {
  const root = document.getElementById('app') as HTMLElement;
  const handout = document.getElementById('handout') as HTMLElement;
  const data = obj(JSON.parse(document.getElementById('gpusim-data')?.textContent ?? '{}'));
  const facts = readFacts(data);
  const isLab = data.kind === 'lab';
  startTheme(() => undefined);
  root.before(
    isLab
      ? header(
          facts.title,
          `${facts.minutes} minutes · ${facts.points} points · ${str(data.student)} · ${str(data.folder)}`,
          true,
        )
      : header('all labs', 'What you change is saved by itself.', false),
  );
  if (isLab) {
    addPictures(handout);
    new Bench(facts, str(data.student), str(data.folder), handout).start(root);
  } else {
    handout.remove();
    showLabs(root, arr(data.labs).map(readFacts), strs(data.problems));
  }
}

start();
