// SPDX-License-Identifier: MIT
// The page of an application.
import { expect, test } from '@playwright/test';
import { applicationPage } from '../data/application';
import { complaints, openPage, pageFile } from './open';

let found: string[] = [];

test.beforeEach(async ({ page }) => {
  found = complaints(page);
  await openPage(page, pageFile('app', applicationPage));
});

test.afterEach(() => {
  expect(found).toEqual([]);
});

test('the summary has the verdict, the causes with their shares, utilisation and the critical path', async ({
  page,
}) => {
  const panel = page.locator('[role=tabpanel]:not([hidden])');
  await expect(page.locator('h1')).toHaveText('Step of two ranks');
  await expect(panel).toContainText('140 us a step');
  await expect(panel.locator('.bars').first().locator('li')).toHaveCount(4);
  await expect(panel.locator('.bars li').first()).toContainText('28.6 %40 us: kernels run that tensor cores bound');
  await expect(panel).toContainText('GPU-Util (nvidia-smi)70.0 %');
  await expect(panel).toContainText('weights1 GB');
  await expect(panel.getByRole('row', { name: /all-reduce/ })).toContainText('28.6 %');
});

test('on the timeline keys go from activity to activity and from row to row, and the address keeps the place', async ({
  page,
}) => {
  await page.keyboard.press('2');
  const says = page.getByRole('status').first();
  await expect(says).toContainText('gpu0, default');
  await expect(says).toContainText('gemm');
  await page.keyboard.press('ArrowRight');
  await expect(says).toContainText('relu');
  await page.keyboard.press('ArrowDown');
  await expect(says).toContainText('gpu0, comm');
  await page.keyboard.press('ArrowRight');
  await expect(says).toContainText('all-reduce');
  await expect(says).toContainText('part of the critical path');
  await expect(page).toHaveURL(/row=1/);
  await page.reload();
  await expect(page.getByRole('status').first()).toContainText('gpu0, comm');
  await expect(page.locator('main')).toContainText('3 later activities left out');
  await expect(page.locator('main')).toContainText('The 8 busiest of 10 links are drawn.');
});

test('a click on a bar says what it is', async ({ page }) => {
  await page.keyboard.press('2');
  const canvas = page.locator('canvas.lanes');
  const box = await canvas.boundingBox();
  expect(box).not.toBeNull();
  const inner = (box?.width ?? 0) - 150 - 14;
  await canvas.click({ position: { x: 150 + (inner * 120) / 140, y: 24 + 24 + 10 } });
  await expect(page.getByRole('status').first()).toContainText('all-reduce');
});

test('kernels say how their time was obtained, and moved bytes have a rate', async ({ page }) => {
  await page.keyboard.press('3');
  await expect(page.getByRole('row', { name: /gemm/ })).toContainText('simulated: two runs of its first waves');
  await expect(page.getByRole('row', { name: /all-reduce/ })).toContainText('100 GB/s');
});
