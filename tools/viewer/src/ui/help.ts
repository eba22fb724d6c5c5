// SPDX-License-Identifier: MIT
// The list of keys, in a dialog.
import { button, h } from './dom';

export function showHelp(groups: [string, [string, string][]][]): void {
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    h('h2', {}, 'Keys'),
    ...groups.flatMap(([title, keys]) => [
      h('h3', {}, title),
      h(
        'dl',
        {},
        ...keys.flatMap(([key, what]) => [
          h('dt', {}, ...key.split(' ').map((part) => h('kbd', {}, part))),
          h('dd', {}, what),
        ]),
      ),
    ]),
    button('Close', () => dialog.close(), { class: 'primary' }),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
