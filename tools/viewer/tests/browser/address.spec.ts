// SPDX-License-Identifier: MIT
// The address says what is shown: after clicks and keys, the same address in another window shows the same.
import { expect, test, type Page } from '@playwright/test';
import { comparePage, runPage } from '../data/page';
import { sweepPage } from '../data/sweep';
import { complaints, openPage, pageFile } from './open';

let found: string[] = [];

test.beforeEach(({ page }) => {
  found = complaints(page);
});

test.afterEach(() => {
  expect(found).toEqual([]);
});

async function openRun(page: Page, view: string): Promise<void> {
  await openPage(
    page,
    pageFile('run', () => runPage()),
    `#view=${view}`,
  );
}

const panel = (page: Page) => page.locator('[role=tabpanel]:not([hidden])');

/** What a reader sees when the address is opened in another window. */
async function elsewhere(page: Page, check: (other: Page) => Promise<void>): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('[role=tab]').first().waitFor();
  await check(other);
  await other.close();
}

test('the address of a cycle leads to the same warp, cycle and zoom', async ({ page }) => {
  await openRun(page, 'warps');
  const chart = page.locator('.warps');
  await chart.press('ArrowDown');
  await chart.press('c');
  await chart.press('Shift+ArrowRight');
  await expect(page).toHaveURL(/sm=0&warp=0\.1&cycle=\d+&from=\d+&to=\d+/);
  const said = await page.getByRole('region', { name: 'The chosen cycle' }).textContent();
  await expect(page).toHaveURL(new RegExp(`cycle=${said?.match(/^Cycle ([\d,]+?)(?=Warp)/)?.[1].replace(/,/g, '')}&`));
  await elsewhere(page, async (other) => {
    await expect(other.getByRole('region', { name: 'The chosen cycle' })).toHaveText(said ?? '');
    expect(other.url()).toBe(page.url());
  });
});

test('the address of the source holds the row, the order and the filter', async ({ page }) => {
  await openRun(page, 'source');
  await page.getByLabel('Find instructions').fill('r4');
  await page.getByRole('button', { name: 'Executions' }).click();
  await panel(page).getByRole('grid').press('End');
  const index = await panel(page).locator('.grid-row.selected').getByRole('gridcell').first().textContent();
  await expect(page).toHaveURL(new RegExp(`index=${index}&sort=-executions&find=r4`));
  const shown = await panel(page).locator('.grid-row').allTextContents();
  const selected = await panel(page).locator('.grid-row.selected').textContent();
  await elsewhere(page, async (other) => {
    await expect(other.getByLabel('Find instructions')).toHaveValue('r4');
    await expect(panel(other).locator('.grid-row.selected')).toHaveText(selected ?? '');
    expect(await panel(other).locator('.grid-row').allTextContents()).toEqual(shown);
  });
});

test('the address of the time series holds its zoom, that of a sweep its axes', async ({ page }) => {
  await openRun(page, 'series');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  const ticks = await panel(page).locator('.axis text').allTextContents();
  await elsewhere(page, async (other) => {
    expect(await panel(other).locator('.axis text').allTextContents()).toEqual(ticks);
  });
  await openPage(page, pageFile('sweep', sweepPage), '#view=sweep&across=l2.size&up=tflops&upScale=log');
  await expect(panel(page).locator('svg.chart')).toHaveAttribute('aria-label', /tflops against l2\.size/);
  await expect(panel(page).getByRole('combobox', { name: 'Scale up', exact: true })).toHaveValue('log');
});

test('Back and Forward go through the places that were shown', async ({ page }) => {
  await openRun(page, 'warps');
  await page.locator('.warps').press('Shift+ArrowRight');
  const cycle = () => page.getByRole('region', { name: 'The chosen cycle' }).locator('h4').textContent();
  const before = await cycle();
  await page.getByRole('button', { name: /Show instruction/ }).click();
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveAttribute('aria-selected', 'true');
  const selected = await panel(page).locator('.grid-row.selected').textContent();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Warps' })).toHaveAttribute('aria-selected', 'true');
  expect(await cycle()).toBe(before);
  await page.goForward();
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page).locator('.grid-row.selected')).toHaveText(selected ?? '');
});

test('an address that makes no sense shows the view as it begins', async ({ page }) => {
  const nonsense = 'cycle=x&warp=9.9&sm=7&from=5&to=2&index=99999&sort=nothing&range=1+0&flops=?&run=8&kernel=77';
  for (const view of ['warps', 'source', 'series', 'roofline', 'sms']) {
    await openRun(page, `${view}&${nonsense}`);
    await page.reload();
    await expect(panel(page)).toBeVisible();
  }
});

/** The lines, marks and words of a chart; places in whole pixels, because the address rounds. */
async function drawn(page: Page): Promise<string[]> {
  return panel(page)
    .locator('svg.chart')
    .first()
    .evaluate((svg) =>
      [...svg.querySelectorAll('text, .point, .line, .roof')].map((item) =>
        `${item.textContent || item.getAttribute('d') || ''} ${item.getAttribute('x1') ?? ''}`.replace(
          /\d+\.\d+/g,
          (number) => Number(number).toFixed(0),
        ),
      ),
    );
}

test('the address of a click into the warps leads to the same warp and cycle, that of a drag to the same part', async ({
  page,
}) => {
  await openRun(page, 'warps');
  const box = await page.locator('.warps').boundingBox();
  const at = (x: number) => [(box?.x ?? 0) + x, (box?.y ?? 0) + 24 + 22 * 5 + 8] as const;
  await page.mouse.move(...at(200));
  await page.mouse.down();
  await page.mouse.move(...at(500), { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.mouse.click(...at(350));
  await expect(page).toHaveURL(/warp=1\.0|warp=\d\.\d/);
  const why = (of: Page) => of.getByRole('region', { name: 'The chosen cycle' });
  const said = (await why(page).textContent()) ?? '';
  await expect(page).toHaveURL(new RegExp(`cycle=${/^Cycle ([\d,]+?)(?=Warp)/.exec(said)?.[1].replace(/,/g, '')}&`));
  await elsewhere(page, async (other) => {
    await expect(why(other)).toHaveText(said);
    expect(other.url()).toBe(page.url());
  });
});

test('the address of a click into the time series holds the cycle', async ({ page }) => {
  await openRun(page, 'series');
  const box = await panel(page).locator('.time').boundingBox();
  await page.mouse.click((box?.x ?? 0) + 400, (box?.y ?? 0) + 90);
  await expect(page).toHaveURL(/cycle=\d+/);
  const said = (await panel(page).getByRole('status').textContent()) ?? '';
  await expect
    .poll(() => Number(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('cycle')))
    .toBeGreaterThan(0);
  await page.waitForTimeout(400);
  await elsewhere(page, async (other) => {
    await expect(panel(other).getByRole('status')).toHaveText(said);
  });
});

test('the address of the source holds a clicked row and the state', async ({ page }) => {
  await openRun(page, 'source');
  await page.getByRole('combobox', { name: 'Waits in', exact: true }).selectOption('long_scoreboard');
  await panel(page).locator('.grid-row').last().click();
  const selected = (await panel(page).locator('.grid-row.selected').textContent()) ?? '';
  await expect(page).toHaveURL(/waits=long_scoreboard/);
  await page.waitForTimeout(400);
  await elsewhere(page, async (other) => {
    await expect(panel(other).locator('.grid-row.selected')).toHaveText(selected);
    await expect(other.getByRole('combobox', { name: 'Waits in', exact: true })).toHaveValue('long_scoreboard');
  });
});

test('the address of the roofline holds class, kernels and zoom', async ({ page }) => {
  await openRun(page, 'roofline');
  await panel(page).getByRole('combobox', { name: 'FLOPs', exact: true }).selectOption('fp32');
  await panel(page).getByRole('combobox', { name: 'Kernels', exact: true }).selectOption('all');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await panel(page).locator('.zoomable').press('ArrowLeft');
  await expect(page).toHaveURL(/flops=fp32&kernels=all&range=/);
  await page.waitForTimeout(400);
  const picture = await drawn(page);
  await elsewhere(page, async (other) => {
    expect(await drawn(other)).toEqual(picture);
    await expect(panel(other).getByRole('combobox', { name: 'FLOPs', exact: true })).toHaveValue('fp32');
  });
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page).not.toHaveURL(/range=/);
});

test('the address of a clicked kernel and of the number that the map of SMs shows', async ({ page }) => {
  await openRun(page, 'summary');
  await page.getByRole('row', { name: /reduce_rows_1/ }).click();
  await page.getByRole('tab', { name: 'SMs' }).click();
  await page.goBack();
  await expect(page).toHaveURL(/view=summary&kernel=1/);
  await page.goForward();
  await openRun(page, 'sms');
  await panel(page).getByRole('combobox', { name: 'Show', exact: true }).selectOption('ctas');
  await expect(page).toHaveURL(/show=ctas/);
  await elsewhere(page, async (other) => {
    await expect(panel(other)).toContainText('16 at most');
  });
});

test('the address of a sweep holds all that its plot shows', async ({ page }) => {
  await openPage(page, pageFile('sweep', sweepPage));
  const pick = (name: string, value: string) =>
    panel(page).getByRole('combobox', { name, exact: true }).selectOption(value);
  await pick('Up', 'tflops');
  await pick('Other keys', 'middle');
  await pick('Values', 'relative');
  await pick('Scale across', 'log');
  await pick('Scale up', 'log');
  await expect(page).toHaveURL(/across=sm\.count&up=tflops&others=middle&values=relative&acrossScale=log&upScale=log/);
  const picture = await drawn(page);
  await elsewhere(page, async (other) => {
    expect(await drawn(other)).toEqual(picture);
    expect(other.url()).toBe(page.url());
  });
});

test('the address of a comparison holds the result and the kernel of its lines', async ({ page }) => {
  await openPage(page, pageFile('compare', comparePage));
  await page.getByRole('combobox', { name: 'Against A' }).selectOption('C: saxpy.json');
  await expect(page).toHaveURL(/with=C/);
  const said = (await panel(page).locator('.verdict').textContent()) ?? '';
  await elsewhere(page, async (other) => {
    await expect(panel(other).locator('.verdict')).toHaveText(said);
    await expect(other.getByRole('combobox', { name: 'Against A' })).toHaveValue('1');
  });
  await page.getByRole('combobox', { name: 'Run', exact: true }).selectOption('2');
  await page.getByRole('tab', { name: 'Summary' }).click();
  await expect(page).toHaveURL(/view=summary&run=2/);
  const kernel = (await panel(page).locator('.kernel-name').textContent()) ?? '';
  await elsewhere(page, async (other) => {
    await expect(panel(other).locator('.kernel-name')).toHaveText(kernel);
  });
});
