// SPDX-License-Identifier: MIT
// Each view does what its controls promise, without a complaint of the page.
import { expect, test, type Page } from '@playwright/test';
import { stateHex } from '../../src/ui/palette';
import { comparePage, partPage, runPage, type Json } from '../data/page';
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

test('the summary has the verdict, units, findings and diagnostics', async ({ page }) => {
  await openRun(page, 'summary');
  await expect(panel(page)).toContainText('latency-bound: no unit comes near its peak');
  await expect(panel(page).locator('.bars li').first()).toContainText('DRAM83.9 %');
  await expect(panel(page).locator('.finding')).toHaveCount(3);
  await expect(panel(page)).toContainText('2 guessed, 1 inferred');
});

test('a click on a kernel selects it in all views', async ({ page }) => {
  await openRun(page, 'summary');
  await page.getByRole('row', { name: /reduce_rows_1/ }).click();
  await expect(panel(page).locator('.kernel-name')).toContainText('reduce_rows_1');
  await expect(page).toHaveURL(/kernel=1/);
  await page.getByRole('tab', { name: 'Warps' }).click();
  await expect(panel(page)).toContainText('No warp of kernel 1 was recorded');
});

test('launches that share a name are one row, which leads to the longest of them', async ({ page }) => {
  const make = () => {
    const made = runPage({ kernels: 3 });
    const { kernels } = made.result as { kernels: Json[] };
    kernels.forEach((kernel, i) => Object.assign(kernel, { name: 'same', time_us: [1, 2, 3][i] }));
    (made.view as Json).kernel_names = [{ name: 'same', instances: 3, time_pct: 100, total_us: 12.5 }];
    return made;
  };
  await openPage(page, pageFile('names', make));
  const row = panel(page).locator('.by-name tbody tr');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('same100.0 %312.5');
  await row.getByRole('button', { name: 'Show launch 2, the longest of same' }).click();
  await expect(page).toHaveURL(/kernel=2/);
});

test('a finding leads to its instruction', async ({ page }) => {
  await openRun(page, 'summary');
  await page.getByRole('button', { name: 'Show instruction 4' }).click();
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page).locator('.grid-row.selected')).toContainText('LDG.E R6');
});

test('from a wait to its producer and back', async ({ page }) => {
  await openRun(page, 'source');
  await page.getByRole('row', { name: /STS\.64/ }).click();
  await page.locator('.detail .jumps button').first().click();
  await expect(panel(page).locator('.grid-row.selected')).toContainText('LDG.E.64 R4');
  await expect(page.locator('.detail')).toContainText('Its result was waited for by');
  await page.getByRole('button', { name: 'Back to 5' }).click();
  await expect(panel(page).locator('.grid-row.selected')).toContainText('STS.64');
  await panel(page).getByRole('grid').press('Enter');
  await expect(panel(page).locator('.grid-row.selected')).toContainText('LDG.E.64 R4');
  await panel(page).getByRole('grid').press('Backspace');
  await expect(panel(page).locator('.grid-row.selected')).toContainText('STS.64');
});

test('instructions are found, filtered by state, sorted, and joined by line', async ({ page }) => {
  await openRun(page, 'source');
  await page.getByLabel('Find instructions').fill('hmma');
  await expect(panel(page)).toContainText('2 of 24 instructions');
  await page.getByLabel('Find instructions').fill('');
  await page.getByRole('combobox', { name: 'Waits in', exact: true }).selectOption('long_scoreboard');
  await expect(panel(page).locator('.grid-row').first()).toContainText('STS.64');
  await page.getByRole('combobox', { name: 'Waits in', exact: true }).selectOption('');
  await page.getByRole('button', { name: 'Executions' }).click();
  await expect(page.getByRole('columnheader', { name: /Executions/ })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('combobox', { name: 'Rows', exact: true }).selectOption('line');
  await expect(panel(page)).toContainText('22 lines');
});

test('the roofline zooms and changes its class', async ({ page }) => {
  await openRun(page, 'roofline');
  const ticks = () => panel(page).locator('.axis text').allTextContents();
  const all = await ticks();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  expect(await ticks()).not.toEqual(all);
  await panel(page).locator('.zoomable').press('0');
  expect(await ticks()).toEqual(all);
  await panel(page).getByRole('combobox', { name: 'FLOPs', exact: true }).selectOption('fp32');
  await expect(panel(page).locator('.roof-label').first()).toContainText('fp32 peak 67 TFLOP/s');
  await panel(page).getByRole('combobox', { name: 'Kernels', exact: true }).selectOption('all');
  await expect(panel(page).locator('.point')).toHaveCount(6);
});

test('the memory chart and its table have the traffic', async ({ page }) => {
  await openRun(page, 'memory');
  await expect(panel(page).locator('svg.memory')).toContainText('83.9 % of peak');
  await expect(panel(page).getByRole('row', { name: /L2 far half/ })).toContainText('48.0 %');
});

test('occupancy marks the launch on each curve', async ({ page }) => {
  await openRun(page, 'occupancy');
  await expect(panel(page).locator('.launch')).toHaveCount(3);
  await expect(panel(page)).toContainText('launch: 96, 20 warps');
});

test('the time series zooms by dragging and reads out by keys', async ({ page }) => {
  await openRun(page, 'series');
  const charts = panel(page).locator('.time');
  const box = await charts.boundingBox();
  const before = await panel(page).locator('.axis text').allTextContents();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 80);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 600, (box?.y ?? 0) + 90, { steps: 4 });
  await page.mouse.up();
  expect(await panel(page).locator('.axis text').allTextContents()).not.toEqual(before);
  await charts.press('0');
  await charts.press('ArrowRight');
  await expect(panel(page).getByRole('status')).toContainText('cycles 2,432 to 2,496');
});

test('a table stands in for each chart of the time series', async ({ page }) => {
  await openRun(page, 'series');
  await panel(page).getByText('Intervals as a table').click();
  await expect(panel(page).getByRole('columnheader', { name: 'DRAM, of peak' })).toBeVisible();
});

test('the map of SMs shows another number, and the tail is said', async ({ page }) => {
  await openRun(page, 'sms');
  await expect(panel(page).locator('.sm')).toHaveCount(132);
  await panel(page).getByRole('combobox', { name: 'Show', exact: true }).selectOption('ctas');
  await expect(panel(page)).toContainText('16 at most');
  await expect(panel(page)).toContainText('The tail, in which a first SM has no CTA left');
});

test('warps: steps by cycle, instruction and state, and the sentence follows', async ({ page }) => {
  await openRun(page, 'warps');
  const why = page.getByRole('region', { name: 'The chosen cycle' });
  const cycle = async () => Number((await why.locator('h4').textContent())?.replace(/\D/g, ''));
  const first = await cycle();
  await page.getByRole('button', { name: 'cycle ▶', exact: true }).click();
  expect(await cycle()).toBe(first + 1);
  const chart = page.locator('.warps');
  await chart.press('Shift+ArrowRight');
  await expect(why).toContainText('The warp issues instruction');
  await chart.press('.');
  const changed = await cycle();
  await chart.press(',');
  expect(await cycle()).toBeLessThan(changed);
  await chart.press('ArrowDown');
  await expect(why).toContainText('slot 1');
  await chart.press('c');
  await page.getByRole('button', { name: /Show instruction/ }).click();
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveAttribute('aria-selected', 'true');
});

test('warps: a click chooses warp and cycle; lanes of a diverged warp are seen', async ({ page }) => {
  await openRun(page, 'warps');
  const why = page.getByRole('region', { name: 'The chosen cycle' });
  const chart = page.locator('.warps');
  const box = await chart.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 200, (box?.y ?? 0) + 24 + 22 * 7 + 8);
  await expect(why).toContainText('sub-core 1, slot 2');
  for (let i = 0; i < 60 && (await why.locator('.lane.on').count()) === 32; ++i) {
    await chart.press('Shift+ArrowRight');
  }
  await expect(why.locator('.lane.on')).toHaveCount(16);
  await expect(why).toContainText('The warp has diverged: 16 lanes of 32 are on this path');
});

test('warps: the picture holds the colours of the states', async ({ page }) => {
  await openRun(page, 'warps');
  const hex = parseInt(stateHex('long_scoreboard', 'light').slice(1), 16);
  const seen = await page.locator('.warps canvas').evaluate((canvas: HTMLCanvasElement, value) => {
    const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255];
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      count += data[i] === red && data[i + 1] === green && data[i + 2] === blue ? 1 : 0;
    }
    return count;
  }, hex);
  expect(seen).toBeGreaterThan(10_000);
});

async function openComparison(page: Page, hash = ''): Promise<void> {
  await openPage(page, pageFile('compare', comparePage), hash);
}

test('a comparison says what the program says: how fast, what changed and why', async ({ page }) => {
  await openComparison(page);
  await expect(panel(page).getByRole('heading', { level: 3 }).first()).toHaveText(/^B is 2\.\d\d times as fast$/);
  await expect(panel(page).locator('.verdict')).toContainText('What speaks for it: bytes of DRAM');
  const totals = panel(page).getByRole('table', { name: 'Totals' });
  await expect(totals.getByRole('row')).toHaveCount(5);
  await expect(totals.getByRole('row', { name: /^B dense/ })).toContainText('1/2.');
  const causes = panel(page).getByRole('table', { name: 'What changed' });
  await expect(causes.getByRole('row', { name: /^bytes of DRAM/ })).toContainText('1/8.00B');
  await expect(panel(page).getByRole('table', { name: 'Set differently' })).toContainText('stride=8stride=1');
  await expect(panel(page).getByRole('table', { name: 'Warp states' }).getByRole('row').last()).toContainText('Sum');
  await expect(panel(page).getByRole('table', { name: 'Kernels in both' })).toContainText('add_strided');
  await expect(panel(page).getByRole('table', { name: 'Conditions' }).getByText('passed')).toHaveCount(3);
  await expect(panel(page).locator('.warning')).toHaveCount(0);
});

test('a comparison shows each later result against the first', async ({ page }) => {
  await openComparison(page);
  const against = panel(page).getByRole('combobox', { name: 'Against A' });
  await against.selectOption('C: saxpy.json');
  await expect(panel(page).getByRole('heading', { level: 3 }).first()).toHaveText(/^C is /);
  await expect(panel(page).getByRole('table', { name: 'Kernels only in A' })).toContainText('add_strided');
  await expect(panel(page).getByRole('table', { name: 'Kernels only in C' })).toContainText('saxpy');
  await expect(page.getByRole('grid', { name: 'Lines of the source' })).toHaveCount(0);
  await against.selectOption('D: strided.json');
  await expect(panel(page).getByRole('heading', { level: 3 }).first()).toHaveText('No difference');
  await expect(page).toHaveURL(/with=D/);
});

test('a comparison warns of a partial result and calls nothing in it better', async ({ page }) => {
  await openPage(page, pageFile('part', partPage));
  await expect(panel(page).getByRole('heading', { level: 3 }).first()).toHaveText('B against A, as far as they ran');
  await expect(panel(page).getByRole('note')).toContainText('B ran 8 of the 256 CTAs of add_strided');
  await expect(panel(page).getByRole('row', { name: /part\.json/ })).toContainText('partial');
  await expect(panel(page).locator('.better, .worse')).toHaveCount(0);
});

test('a comparison of very many kernels says whose lines it lacks, and how to get them', async ({ page }) => {
  const make = () => {
    const data = comparePage() as { compare: { changes: { kernels: { name: string; lines: unknown }[] }[] } };
    const [change] = data.compare.changes;
    const [first] = change.kernels;
    change.kernels.unshift({ ...first, name: 'changed_most' });
    first.lines = null;
    return data;
  };
  await openPage(page, pageFile('bounded', make));
  await expect(panel(page).getByRole('heading', { name: 'Lines of changed_most' })).toBeVisible();
  await panel(page).getByRole('combobox', { name: 'Kernel', exact: true }).selectOption('add_strided');
  await expect(panel(page).locator('.missing')).toContainText('gpusim compare A B --json FILE');
});

test('a page opens at the kernel that took most time', async ({ page }) => {
  const make = () => {
    const data = runPage({ kernels: 3 }) as { result: { kernels: { time_us: number }[] } };
    data.result.kernels[1].time_us *= 4;
    return data;
  };
  await openPage(page, pageFile('longest', make));
  await expect(page).toHaveURL(/kernel=1/);
  await expect(page.getByRole('combobox', { name: 'Kernel', exact: true }).first()).toHaveValue('1');
});

test('a line of a comparison leads to the source of a run that has it', async ({ page }) => {
  await openComparison(page);
  const lines = page.getByRole('grid', { name: 'Lines of the source' });
  await lines.press('Home');
  await lines.press('Enter');
  await expect(page.getByRole('tab', { name: 'Source' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page).locator('.grid-row.selected')).toContainText('FADD');
});

test('all results of a comparison stand on one roofline', async ({ page }) => {
  await openComparison(page);
  await expect(panel(page).locator('.point')).toHaveCount(4);
  await page.getByRole('tab', { name: 'Roofline' }).click();
  await expect(panel(page).locator('.point')).toHaveCount(12);
  await page.getByRole('combobox', { name: 'Run', exact: true }).selectOption('1');
  await page.getByRole('tab', { name: 'Summary' }).click();
  await expect(page).toHaveURL(/run=1/);
});

test('the summary marks the unit that bounds the kernel, with what decided it', async ({ page }) => {
  const marked = () => {
    const data = runPage({ kernels: 1 }) as { view: { kernels: { units: Record<string, unknown>[] }[] } };
    data.view.kernels[0].units = [
      { name: 'Shared memory', pct: 62.8, note: '', bounds: false, deciding_pct: 62.8 },
      { name: 'Tensor', pct: 41.2, note: 'of dense peak', bounds: true, deciding_pct: 64.4 },
    ];
    return data;
  };
  await openPage(page, pageFile('marked', marked), '#view=summary');
  await expect(panel(page).locator('.bars li').first()).toContainText('Tensor41.2 %bounds the kernel, with 64.4 %');
  await expect(panel(page).locator('.bars .bounds')).toHaveCount(1);
  await expect(panel(page).locator('.bars .bounds .fill').last()).toHaveClass(/busy/);
});

test('a filter moves the selection to a row that it shows', async ({ page }) => {
  await openRun(page, 'source&index=5');
  await page.getByLabel('Find instructions').fill('hmma');
  const selected = panel(page).locator('.grid-row.selected');
  await expect(selected).toContainText('HMMA');
  const index = (await selected.getByRole('gridcell').first().textContent()) ?? '';
  await expect(page.locator('.detail h4')).toContainText(`Instruction ${index},`);
  await page.getByLabel('Find instructions').fill('no such thing');
  await expect(page.locator('.detail')).toContainText('No row is selected');
});

test('a sweep plots the chosen axis and metric, and sorts its rows', async ({ page }) => {
  await openPage(page, pageFile('sweep', sweepPage));
  await expect(panel(page).locator('.line')).toHaveCount(3);
  await panel(page).getByRole('combobox', { name: 'Across', exact: true }).selectOption('l2.size');
  await expect(panel(page).locator('.line')).toHaveCount(0);
  await expect(panel(page).locator('.point')).toHaveCount(15);
  await panel(page).getByRole('combobox', { name: 'Up', exact: true }).selectOption('tflops');
  await expect(panel(page).locator('svg.chart')).toHaveAttribute('aria-label', /tflops against l2\.size/);
  await panel(page).getByRole('button', { name: 'time_us' }).click();
  await expect(panel(page).locator('.grid-row').first()).toContainText('62.50');
});

test('a sweep plots one metric against another as single points', async ({ page }) => {
  await openPage(page, pageFile('sweep', sweepPage));
  await panel(page).getByRole('combobox', { name: 'Across', exact: true }).selectOption('tflops');
  await expect(panel(page).locator('.point')).toHaveCount(15);
  await expect(panel(page).locator('.line')).toHaveCount(0);
  await expect(panel(page).getByText('Values', { exact: true })).toBeHidden();
});

test('a sweep tells what its text tells: ranks, fits, what the other keys are, and what was left out', async ({
  page,
}) => {
  await openPage(page, pageFile('sweep', sweepPage));
  await expect(panel(page)).toContainText('15 points: 15 done. Judged by time_us: less is better.');
  await expect(panel(page).getByRole('note')).toContainText('2 points have no time_us above zero');
  const best = panel(page).getByRole('table', { name: 'Best points, saxpy' });
  await expect(best.getByRole('rowheader')).toHaveText(['1', '2', '2']);
  await expect(best.getByRole('columnheader', { name: 'relative' })).toBeVisible();
  await expect(panel(page)).toContainText('One key at a time, the others as in sm.count=99, l2.size=50 MiB.');
  const buys = panel(page).getByRole('table', { name: 'What buys most, saxpy on h100' });
  await expect(buys.getByRole('row', { name: /^l2\.size/ })).toContainText('3.9 %');
  await expect(panel(page)).toContainText('Knee at 132');
  await panel(page).getByText('2 values').click();
  await expect(panel(page).getByRole('row', { name: /1\.273 64 %/ })).toBeVisible();
});

test('a sweep plots the curve through the middle point, and values relative to the first', async ({ page }) => {
  await openPage(page, pageFile('sweep', sweepPage));
  await panel(page).getByRole('combobox', { name: 'Other keys', exact: true }).selectOption('middle');
  await expect(panel(page).locator('.line')).toHaveCount(1);
  await expect(panel(page)).toContainText('The other keys are as in l2.size 50 MiB.');
  await panel(page).getByRole('combobox', { name: 'Values', exact: true }).selectOption('relative');
  await expect(panel(page).locator('.axis-label').last()).toHaveText('time_us / that of the first point');
  await panel(page).locator('.point').nth(3).hover();
  await expect(page.locator('.tip')).toContainText('0.500 of the first point');
  await panel(page).getByRole('button', { name: 'Show in the plot' }).last().click();
  await expect(panel(page).locator('svg.chart')).toHaveAttribute('aria-label', /time_us against l2\.size/);
  await expect(panel(page)).toContainText('The other keys are as in sm.count 99.');
});

test('marks at the edge of a plot of a sweep are whole', async ({ page }) => {
  await openPage(page, pageFile('sweep', sweepPage));
  expect(await panel(page).locator('.point').count()).toBe(15);
  await expect(panel(page).locator('[clip-path] .point')).toHaveCount(0);
});

test('views are reached by keys, arrows and the address', async ({ page }) => {
  await openRun(page, 'summary');
  await page.keyboard.press('5');
  await expect(panel(page).getByRole('grid')).toBeFocused();
  await page.getByRole('tab', { name: 'Source' }).press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Time series' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await expect(page.getByRole('tab', { name: 'Summary' })).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('dark or light');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openRun(page, 'source&index=13');
  await expect(panel(page).locator('.grid-row.selected')).toContainText('HMMA.16816.F32 R44');
});

test('the theme follows the system until the reader chooses', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openRun(page, 'summary');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});
