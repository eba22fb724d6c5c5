// SPDX-License-Identifier: MIT
// Boxes that scroll sideways: a hint says so while there is more to see, and keys reach them.
import { h } from './dom';

/** Pixels that rounding may leave at an edge. */
const kSlack = 2;

function hintOf(box: HTMLElement): string {
  const most = box.scrollWidth - box.clientWidth;
  if (most <= kSlack) {
    return '';
  }
  return box.scrollLeft < most - kSlack ? 'more to the right →' : '← more to the left';
}

/** Puts a box with `overflow: auto` into another one that says where it goes on. `label`: as screen readers call it. */
export function scrollBox(box: HTMLElement, label = ''): HTMLElement {
  const hint = h('p', { class: 'scroll-hint', 'aria-hidden': 'true', hidden: true });
  const outer = h('div', { class: 'scroll-box' }, box, hint);
  const own = label !== '';
  const look = () => {
    const text = hintOf(box);
    const reachable = text !== '' || box.scrollHeight > box.clientHeight + kSlack;
    hint.textContent = text;
    hint.hidden = text === '';
    // A box in which nothing scrolls is no stop for the Tab key. Others bring their own role.
    if (own && reachable) {
      box.tabIndex = 0;
      box.setAttribute('role', 'region');
      box.setAttribute('aria-label', label);
    } else if (own && document.activeElement !== box) {
      box.removeAttribute('tabindex');
      box.removeAttribute('role');
      box.removeAttribute('aria-label');
    }
  };
  box.addEventListener('scroll', look, { passive: true });
  box.addEventListener('blur', look);
  const observer = new ResizeObserver(look);
  observer.observe(box);
  [...box.children].forEach((child) => observer.observe(child));
  return outer;
}
