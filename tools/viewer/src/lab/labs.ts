// SPDX-License-Identifier: MIT
// The list of all labs, in the order in which they build on each other.
import { h } from '../ui/dom';
import type { LabFacts } from './data';

function row(lab: LabFacts): HTMLElement {
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('a', { href: `labs/${lab.name}/` }, lab.title)),
    h('td', { class: 'number' }, String(lab.minutes)),
    h('td', {}, lab.summary),
    h('td', {}, lab.needs.join(', ')),
    h('td', {}, lab.begun ? 'begun' : ''),
  );
}

export function showLabs(root: HTMLElement, labs: LabFacts[], problems: string[]): void {
  const heads = ['Lab', 'Minutes', 'What it is about', 'After', 'Yours'];
  root.replaceChildren(
    h(
      'main',
      { class: 'labs' },
      h('h1', {}, 'Labs'),
      ...problems.map((text) => h('p', { class: 'warning' }, `Left out: ${text}`)),
      h(
        'div',
        { class: 'panel scroll', tabindex: '0', role: 'region', 'aria-label': 'Labs' },
        h(
          'table',
          {},
          h('thead', {}, h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)))),
          h('tbody', {}, ...labs.map(row)),
        ),
      ),
    ),
  );
}
