// SPDX-License-Identifier: MIT
// GPUSIM_SCREENSHOTS=DIR: a picture of each view in light and dark; GPUSIM_PAGE=FILE takes them of a real page, and
// GPUSIM_SIZE=1200x750 of what a window of that size shows, instead of whole views.
import { test } from '@playwright/test';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applicationPage } from '../data/application';
import { comparePage, runPage } from '../data/page';
import { sweepPage } from '../data/sweep';
import { openPage, pageFile } from './open';

const target = process.env.GPUSIM_SCREENSHOTS ?? '';
const given = process.env.GPUSIM_PAGE ?? '';
const size = /^(\d+)x(\d+)$/.exec(process.env.GPUSIM_SIZE ?? '');
const pages: [string, () => string][] =
  given !== ''
    ? [['', () => pathToFileURL(path.resolve(given)).href]]
    : [
        ['', () => pageFile('run', () => runPage())],
        ['compare-', () => pageFile('compare', comparePage)],
        ['sweep-', () => pageFile('sweep', sweepPage)],
        ['app-', () => pageFile('application', applicationPage)],
      ];

test.skip(target === '', 'no folder for pictures');

for (const [prefix, url] of pages) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`pictures of ${prefix || 'run'} in ${scheme}`, async ({ page }) => {
      if (size !== null) {
        await page.setViewportSize({ width: Number(size[1]), height: Number(size[2]) });
      }
      await page.emulateMedia({ colorScheme: scheme });
      await openPage(page, url());
      for (const tab of await page.getByRole('tab').all()) {
        const name = ((await tab.getAttribute('id')) ?? '').replace('tab-', '');
        await tab.click();
        await page.waitForTimeout(150);
        await page.screenshot({ path: path.join(target, `${prefix}${name}-${scheme}.png`), fullPage: size === null });
      }
    });
  }
}
