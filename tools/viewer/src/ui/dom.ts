// SPDX-License-Identifier: MIT
// Builds nodes. Text only ever becomes text nodes and attributes, so a kernel's name cannot become HTML.

import { withUnits } from '../model/units';

export type Child = Node | string | number | null | undefined | false;

export interface Attributes {
  class?: string;
  title?: string;
  style?: Record<string, string>;
  on?: Record<string, (event: never) => void>;
  [attribute: string]: unknown;
}

function apply(element: HTMLElement | SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name === 'style') {
      for (const [property, setting] of Object.entries(value as Record<string, string>)) {
        element.style.setProperty(property, setting);
      }
    } else if (name === 'on') {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>)) {
        element.addEventListener(event, listener);
      }
    } else {
      element.setAttribute(name, value === true ? '' : `${value as string | number}`);
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === 'number' ? String(child) : child);
    }
  }
}

/** An HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  const isCode = tag === 'code' || (attributes.class ?? '').split(' ').includes('code');
  append(element, isCode ? children : children.map((child) => (typeof child === 'string' ? withUnits(child) : child)));
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

/** Makes this the text of an element. */
export function say(element: HTMLElement, text: string): void {
  element.textContent = withUnits(text);
}

/** A part of a view, with a heading. */
export function panel(title: string, ...children: Child[]): HTMLElement {
  return h('section', { class: 'panel' }, h('h3', {}, title), ...children);
}

export function note(...children: Child[]): HTMLElement {
  return h('p', { class: 'note' }, ...children);
}

export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...attributes, on: { click: action } }, label);
}

/** A select with a visible label. */
export function choice(
  label: string,
  options: [string, string][],
  chosen: string,
  changed: (value: string) => void,
): HTMLElement {
  const select = h(
    'select',
    { on: { change: () => changed(select.value) } },
    ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return h('label', { class: 'choice' }, h('span', {}, label), select);
}

/** Sets what a choice shows, without telling it. */
export function chosen(control: HTMLElement, value: string): void {
  const select = control.querySelector('select');
  if (select !== null) {
    select.value = value;
  }
}

/** A box that says how to get the data that is not there. */
export function missing(what: string, how: string): HTMLElement {
  return h('div', { class: 'missing' }, h('p', {}, what), h('p', {}, 'To record it: ', h('code', {}, how)));
}

/** Names of kernels may have thousands of characters. */
function bounded(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)} ...` : text;
}

/** Long text in one line: cut by the style, whole in the tooltip (up to a length that a tooltip can show). */
export function clipped(text: string, tag: 'span' | 'strong' = 'span'): HTMLElement {
  return h(tag, { class: 'clip', title: bounded(text) }, bounded(text));
}

/** A title, on as many lines as it takes (up to the same length). */
export function heading(text: string, tag: 'span' | 'strong' = 'span'): HTMLElement {
  return h(tag, { class: 'heading' }, bounded(text));
}
