// SPDX-License-Identifier: MIT
// Reads what the address says is to be shown.
import type { Target } from './ui/view';

/** Words of the address that are no part of a view's place. */
const kOwnWords: readonly string[] = ['view', 'run', 'kernel'];
const kLongestWord = 300;

/** `views`: those of the page. What makes no sense is as if missing. */
export function readAddress(views: string[]): Target {
  const values = new URLSearchParams(location.hash.slice(1));
  const target: Target = {};
  const view = values.get('view');
  if (view !== null && views.includes(view)) {
    target.view = view;
  }
  for (const key of ['run', 'kernel'] as const) {
    const value = values.get(key);
    if (value !== null && /^\d{1,9}$/.test(value)) {
      target[key] = Number(value);
    }
  }
  target.place = Object.fromEntries(
    [...values].filter(([key, value]) => !kOwnWords.includes(key) && value.length <= kLongestWord),
  );
  return target;
}
