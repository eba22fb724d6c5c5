// SPDX-License-Identifier: MIT
// The keys that the help lists for a view work as soon as the view is reached: by its key, by an address, by a click.
import { expect, test, type Page } from '@playwright/test';
import { runPage } from '../data/page';
import { complaints, openPage, pageFile } from './open';

let found: string[] = [];

test.beforeEach(({ page }) => {
  found = complaints(page);
});

test.afterEach(() => {
  expect(found).toEqual([]);
});

async function openRun(page: Page, hash = ''): Promise<void> {
  await openPage(
    page,
    pageFile('run', () => runPage()),
    hash,
  );
}

const panel = (page: Page) => page.locator('[role=tabpanel]:not([hidden])');
const chosenTab = (page: Page) => page.getByRole('tab', { selected: true });
const selected = (page: Page) => panel(page).locator('.grid-row.selected');
const index = async (page: Page) => Number(await selected(page).getByRole('gridcell').first().textContent());
const ticks = (page: Page) => panel(page).locator('.axis text').allTextContents();

async function cycle(page: Page): Promise<number> {
  const head = page.getByRole('region', { name: 'The chosen cycle' }).locator('h4');
  return Number((await head.textContent())?.replace(/\D/g, ''));
}

test('after its digit, the keys of Warps step, zoom and choose', async ({ page }) => {
  await openRun(page);
  await page.keyboard.press('8');
  const first = await cycle(page);
  await page.keyboard.press('ArrowRight');
  await expect(chosenTab(page)).toHaveText('Warps');
  expect(await cycle(page)).toBe(first + 1);
  await page.keyboard.press('.');
  expect(await cycle(page)).toBeGreaterThan(first + 1);
  await page.keyboard.press('c');
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
});

test('after its digit, the keys of Source move the row and jump', async ({ page }) => {
  await openRun(page);
  await page.keyboard.press('5');
  await page.keyboard.press('Home');
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(selected(page)).toContainText('STS.64');
  await page.keyboard.press('Enter');
  await expect(selected(page)).toContainText('LDG.E.64 R4');
  await page.keyboard.press('Backspace');
  expect(await index(page)).toBe(5);
});

test('after their digits, the keys of Time series and Roofline move the charts', async ({ page }) => {
  await openRun(page);
  await page.keyboard.press('6');
  const said = await panel(page).getByRole('status').textContent();
  await page.keyboard.press('ArrowRight');
  await expect(chosenTab(page)).toHaveText('Time series');
  await expect(panel(page).getByRole('status')).not.toHaveText(said ?? '');
  await page.keyboard.press('2');
  const all = await ticks(page);
  await page.keyboard.press('+');
  expect(await ticks(page)).not.toEqual(all);
  await page.keyboard.press('0');
  expect(await ticks(page)).toEqual(all);
});

test('after a link to a cycle, and after Back to it, its keys work', async ({ page }) => {
  await openRun(page, '#view=warps&cycle=700');
  await page.keyboard.press('ArrowRight');
  expect(await cycle(page)).toBe(701);
  await page.keyboard.press('5');
  await page.goBack();
  await expect(chosenTab(page)).toHaveText('Warps');
  await page.keyboard.press('ArrowLeft');
  expect(await cycle(page)).toBe(700);
});

test('after a click on a button of a chart, its keys work, and the button keeps the focus', async ({ page }) => {
  await openRun(page, '#view=warps&cycle=700');
  const button = page.getByRole('button', { name: 'cycle ▶', exact: true });
  await button.click();
  await page.keyboard.press('ArrowRight');
  expect(await cycle(page)).toBe(702);
  await page.keyboard.press('Enter');
  expect(await cycle(page)).toBe(703);
  await expect(button).toBeFocused();
  await page.keyboard.press('2');
  const all = await ticks(page);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.keyboard.press('0');
  expect(await ticks(page)).toEqual(all);
});

test('a click on a tab leaves the focus in its view', async ({ page }) => {
  await openRun(page);
  await page.getByRole('tab', { name: 'Warps' }).click();
  const first = await cycle(page);
  await page.keyboard.press('ArrowRight');
  expect(await cycle(page)).toBe(first + 1);
});

test('on a tab, arrows go to the next one, and letters reach the view', async ({ page }) => {
  await openRun(page);
  await page.getByRole('tab', { name: 'Summary' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: 'Warps' })).toBeFocused();
  const first = await cycle(page);
  await page.keyboard.press('.');
  expect(await cycle(page)).toBeGreaterThan(first);
  await expect(page.getByRole('tab', { name: 'Warps' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Summary' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Warps' })).toBeFocused();
});

test('the browser keeps its own keys: Alt and an arrow move no chart', async ({ page }) => {
  await openRun(page, '#view=roofline');
  const all = await ticks(page);
  await panel(page).locator('.zoomable').press('Alt+ArrowUp');
  expect(await ticks(page)).toEqual(all);
});

test('the wheel scrolls the page over a chart that only has the focus, and zooms once it was clicked', async ({
  page,
}) => {
  await openRun(page);
  await page.keyboard.press('6');
  const charts = panel(page).locator('.time');
  const box = await charts.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 80);
  const all = await ticks(page);
  await page.mouse.wheel(0, 60);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect(await ticks(page)).toEqual(all);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.wheel(0, -120);
  await expect.poll(() => ticks(page)).not.toEqual(all);
});
