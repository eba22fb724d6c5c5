// SPDX-License-Identifier: MIT
// Every view in both themes without a violation that axe finds; and the page on paper. Of long tables the first rows
// are checked: the others are alike.
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { applicationPage } from '../data/application';
import { comparePage, runPage } from '../data/page';
import { sweepPage } from '../data/sweep';
import { complaints, openPage, pageFile } from './open';

const pages: [string, () => unknown][] = [
  ['run', () => runPage()],
  ['compare', comparePage],
  ['sweep', sweepPage],
  ['application', applicationPage],
];

async function openRunOnPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'screen' });
  await openPage(
    page,
    pageFile('run', () => runPage()),
  );
  await page.emulateMedia({ media: 'print' });
}

for (const [name, make] of pages) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing in a ${name} in ${colorScheme}`, async ({ page }) => {
      test.slow();
      await page.emulateMedia({ colorScheme });
      await openPage(page, pageFile(name, make));
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        for (const summary of await page.locator('[role=tabpanel]:not([hidden]) summary').all()) {
          await summary.click();
        }
        const axe = new AxeBuilder({ page }).exclude('tbody tr:nth-child(n+12)').exclude('.grid-row:nth-child(n+8)');
        // Themes differ in nothing but colours.
        const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
        const told = violations.map(
          (item) => `${item.id}: ${item.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
        );
        expect(told, (await tab.textContent()) ?? '').toEqual([]);
      }
    });
  }
}

test('on paper nothing is cut off: columns share the width, and what is left out is told', async ({ page }) => {
  const make = () => {
    const data = sweepPage() as { sweep: { columns: string[]; rows: unknown[][] } };
    data.sweep.columns.push(...Array.from({ length: 12 }, (_, i) => `counter_${i}`));
    data.sweep.rows.forEach((row) => row.push(...Array.from({ length: 12 }, () => 12_345.25)));
    return data;
  };
  await page.setViewportSize({ width: 718, height: 1000 });
  await openPage(page, pageFile('wide-sweep', make));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('grid')).toContainText('The first 10 of 16 columns are printed.');
  await expect(page.locator('.grid-row').first().locator('> :visible')).toHaveCount(10);
  await expect(page.locator('.scroll-hint:visible')).toHaveCount(0);
  const cells = await page
    .locator('.grid-row')
    .first()
    .locator('> :visible')
    .evaluateAll((all) => all.map((cell) => cell.scrollWidth - cell.clientWidth));
  expect(Math.max(...cells)).toBeLessThanOrEqual(1);
  await openRunOnPaper(page);
  const memory = await page.locator('svg.memory').boundingBox();
  expect((memory?.x ?? 0) + (memory?.width ?? 0)).toBeLessThanOrEqual(718);
});

test('on paper all views are there, light and without controls', async ({ page }) => {
  const found = complaints(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openPage(
    page,
    pageFile('run', () => runPage()),
  );
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const title of ['Summary', 'Roofline', 'Memory', 'Occupancy', 'Source', 'Time series', 'SMs', 'Warps']) {
    await expect(page.getByRole('heading', { name: title, exact: true, level: 2 })).toBeVisible();
  }
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('tablist')).toBeHidden();
  await expect(page.locator('#panel-source .grid-row')).toHaveCount(24);
  await expect(page.locator('#panel-summary')).toContainText('noc.sm_to_gpc_latency');
  // A real GPU has more than a hundred such values: they are printed where the reader has opened them.
  await expect(page.locator('#panel-summary details')).not.toHaveAttribute('open');
  const canvas = await page.locator('.warps canvas').boundingBox();
  expect(canvas?.width).toBeGreaterThan(300);
  expect((await page.pdf()).length).toBeGreaterThan(20_000);
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('#panel-warps')).toBeHidden();
  expect(found).toEqual([]);
});
