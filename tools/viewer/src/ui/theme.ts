// SPDX-License-Identifier: MIT
// Dark or light: as the system says, unless the reader chose. Paper is always light.

import { setPalette, type Theme } from './palette';

const kKey = 'gpusim-theme';
let chosen: Theme | null = null;

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(kKey);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}

export function theme(): Theme {
  if (document.documentElement.classList.contains('printing')) {
    return 'light';
  }
  return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
  setPalette(document.documentElement.style, theme());
}

export function startTheme(changed: () => void): void {
  chosen = stored();
  applyTheme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    applyTheme();
    changed();
  });
}

export function toggleTheme(): Theme {
  chosen = theme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(kKey, chosen);
  } catch {
    // A page from a file may have no storage; the choice then lasts as long as the page.
  }
  applyTheme();
  return chosen;
}

/** A colour of the style sheet, for canvases. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
