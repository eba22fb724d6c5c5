// SPDX-License-Identifier: MIT
// From waits to what was waited for, by bars, by keys and by lines; and what rows are sorted by.
import { expect, test, type Page } from '@playwright/test';
import { runPage } from '../data/page';
import { complaints, openPage, pageFile } from './open';

let found: string[] = [];

test.beforeEach(async ({ page }) => {
  found = complaints(page);
  await openPage(
    page,
    pageFile('run', () => runPage()),
    '#view=source',
  );
});

test.afterEach(() => {
  expect(found).toEqual([]);
});

const panel = (page: Page) => page.locator('[role=tabpanel]:not([hidden])');
const selected = (page: Page) => panel(page).locator('.grid-row.selected');

test('a click on a stall in a bar goes to its producer, one beside it selects the row', async ({ page }) => {
  const row = page.getByRole('row', { name: /STS\.64/ });
  await row.getByText('STS.64').click();
  await expect(selected(page)).toContainText('STS.64');
  await page.getByRole('row', { name: /LDS R10/ }).click();
  await row.locator('.state-bar .leads').first().click();
  await expect(selected(page)).toContainText('LDG.E.64 R4');
  await page.keyboard.press('Backspace');
  await expect(selected(page)).toContainText('STS.64');
});

test('lines lead to the lines that they waited for, and back', async ({ page }) => {
  await page.getByRole('combobox', { name: 'Rows', exact: true }).selectOption('line');
  await page.getByRole('row', { name: /STS\.64/ }).click();
  const detail = page.locator('.detail');
  const head = (await detail.locator('h4').textContent()) ?? '';
  await expect(detail).toContainText('It waited for');
  await panel(page).getByRole('grid').press('Enter');
  await expect(selected(page)).toContainText('LDG.E.64 R4');
  await expect(detail).toContainText('Its result was waited for by');
  await page.getByRole('button', { name: `Back to ${head.toLowerCase()}` }).click();
  await expect(detail.locator('h4')).toHaveText(head);
});

test('the state that rows are filtered and sorted by has a column, whose heading says so', async ({ page }) => {
  const heading = page.getByRole('columnheader', { name: 'Long Scoreboard' });
  await expect(heading).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Waits in', exact: true }).selectOption('long_scoreboard');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(heading.getByRole('button')).toBeFocused();
  await page.getByRole('button', { name: 'Most expensive first' }).click();
  await expect(page.getByRole('columnheader', { name: 'Warp-cycles' })).toHaveAttribute('aria-sort', 'descending');
  await expect(heading).not.toHaveAttribute('aria-sort');
  await page.getByRole('combobox', { name: 'Waits in', exact: true }).selectOption('');
  await expect(heading).toHaveCount(0);
});
