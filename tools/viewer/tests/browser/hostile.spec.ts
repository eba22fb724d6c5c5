// SPDX-License-Identifier: MIT
// Pages that are hostile, damaged, of other versions, without recorded parts, or very large.
import { expect, test } from '@playwright/test';
import { hostilePage, longPage, longWatch, pageWithoutDetails } from '../data/extreme';
import { block } from '../data/fill';
import { runPage } from '../data/page';
import { complaints, fileOf, openPage, pageFile } from './open';

let found: string[] = [];

test.beforeEach(({ page }) => {
  found = complaints(page);
});

test.afterEach(() => {
  expect(found).toEqual([]);
});

test('names with HTML stay text and the page keeps its width', async ({ page }) => {
  await openPage(page, pageFile('hostile', hostilePage));
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    expect(await page.locator('img, main script, iframe').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1360);
    const widths = await page.locator('.grid-row:visible').evaluateAll((rows) => rows.map((row) => row.scrollWidth));
    expect(new Set(widths).size).toBeLessThanOrEqual(1);
  }
  expect(await page.title()).toBe('C = A B, tiles in shared memory - gpusim');
});

test('a page cut in half says so', async ({ page }) => {
  const data = block(runPage());
  await openPage(
    page,
    fileOf('cut', () => data.slice(0, data.length >> 1)),
  );
  await expect(page.getByRole('alert')).toContainText('cannot be unpacked');
});

test('the viewer without data says what it is', async ({ page }) => {
  await openPage(
    page,
    fileOf('empty', () => '@GPUSIM_DATA@'),
  );
  await expect(page.getByRole('alert')).toContainText('holds no result');
});

test('data of another schema is refused with advice', async ({ page }) => {
  await openPage(
    page,
    pageFile('schema', () => ({ ...runPage(), schema: 'gpusim.page/9' })),
  );
  await expect(page.getByRole('alert')).toContainText('gpusim.page/9');
});

test('a kernel whose details were left out says in each view how to see them', async ({ page }) => {
  await openPage(page, pageFile('without-details', pageWithoutDetails));
  for (const name of ['Source', 'Time series', 'SMs', 'Occupancy']) {
    await page.getByRole('tab', { name }).click();
    await expect(page.locator('[role=tabpanel]:not([hidden]) .missing')).toContainText('run with --kernel');
  }
});

test('parts that were not recorded say how to record them', async ({ page }) => {
  await openPage(
    page,
    pageFile('unrecorded', () => runPage({ recorded: false })),
    '#view=series',
  );
  await expect(page.locator('#panel-series')).toContainText('--record series');
  await page.getByRole('tab', { name: 'Warps' }).click();
  await expect(page.locator('#panel-warps')).toContainText('--record warps=0');
  await page.getByRole('tab', { name: 'SMs' }).click();
  await expect(page.locator('#panel-sms')).toContainText('--record series');
});

test('a result without kernels opens', async ({ page }) => {
  const make = () => ({ schema: 'gpusim.page/1', kind: 'run', version: '1', result: { complete: false } });
  await openPage(page, pageFile('nothing', make));
  await expect(page.locator('#panel-summary')).toContainText('holds no kernel');
});

test('kernels without any number open in every view', async ({ page }) => {
  const make = () => ({ schema: 'gpusim.page/1', kind: 'run', version: '1', result: { kernels: [{}, {}] } });
  await openPage(page, pageFile('bare', make));
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expect(page.locator('[role=tabpanel]:not([hidden]) h3').first()).toBeVisible();
  }
});

test('a million instructions scroll, sort and jump', async ({ page }) => {
  test.slow();
  await openPage(
    page,
    pageFile('long', () => longPage(1_000_000)),
    '#view=source',
  );
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '1000001');
  await grid.press('End');
  await expect(page.locator('.grid-row.selected')).toContainText('999,999'.replace(',', ''));
  await expect(page.locator('.grid-row.selected')).toBeInViewport();
  await grid.press('ArrowUp');
  await expect(page.locator('.grid-row.selected')).toContainText('999998');
  expect(await page.locator('.grid-row').count()).toBeLessThan(100);
  await page.getByLabel('Find instructions').fill('500007');
  await expect(page.locator('.grid-row')).toHaveCount(1);
});

test('a timeline of two million intervals draws and steps', async ({ page }) => {
  test.slow();
  await openPage(
    page,
    pageFile('watch', () => longWatch(2_000_000)),
    '#view=warps',
  );
  const chart = page.locator('.warps');
  await chart.press('Shift+ArrowRight');
  await expect(page.locator('.why')).toContainText('The warp issues instruction');
  const cycle = await page.locator('.why h4').textContent();
  await chart.press('+');
  await chart.press('ArrowRight');
  await expect(page.locator('.why h4')).not.toHaveText(cycle ?? '');
});
