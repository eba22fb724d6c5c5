// SPDX-License-Identifier: MIT
// A handout on its own: its text is in the page; the theme and pictures that can be moved need a script.
import { button } from '../ui/dom';
import { applyTheme, startTheme, toggleTheme } from '../ui/theme';
import { addPictures } from './pictures/pictures';

function setPrinting(printing: boolean): void {
  document.documentElement.classList.toggle('printing', printing);
  applyTheme();
}

startTheme(() => undefined);
addPictures(document);
document
  .querySelector('header')
  ?.append(button('Theme', () => toggleTheme(), { class: 'controls', title: 'Dark or light' }));
window.addEventListener('beforeprint', () => setPrinting(true));
window.addEventListener('afterprint', () => setPrinting(false));
matchMedia('print').addEventListener('change', (event) => setPrinting(event.matches));
