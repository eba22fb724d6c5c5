// SPDX-License-Identifier: MIT
// Which views a page has, in the order of their tabs.
import type { Page } from '../data/types';
import type { View } from '../ui/view';
import { roofline } from './roofline';
import { source } from './source';
import { summary } from './summary';

export function viewsOf(page: Page): View[] {
  void page;
  return [summary, roofline, source];
}
