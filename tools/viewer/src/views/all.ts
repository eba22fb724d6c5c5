// SPDX-License-Identifier: MIT
// Which views a page has, in the order of their tabs.
import type { Page } from '../data/types';
import type { View } from '../ui/view';
import { appSummary } from './app_summary';
import { appTables } from './app_tables';
import { appTimeline } from './app_timeline';
import { compare } from './compare';
import { memory } from './memory';
import { occupancy } from './occupancy';
import { roofline } from './roofline';
import { series } from './series';
import { sms } from './sms';
import { source } from './source';
import { summary } from './summary';
import { sweep } from './sweep';
import { warps } from './warps';

export function viewsOf(page: Page): View[] {
  if (page.kind === 'sweep') {
    return [sweep];
  }
  if (page.kind === 'app') {
    return [appSummary, appTimeline, appTables];
  }
  const ofRun = [summary, roofline, memory, occupancy, source, series, sms, warps];
  return page.kind === 'compare' ? [compare, ...ofRun] : ofRun;
}
