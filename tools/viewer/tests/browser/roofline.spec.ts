// SPDX-License-Identifier: MIT
// What the roofline says of several kernels.
import { expect, test, type Locator, type Page } from '@playwright/test';
import { runPage, type Json } from '../data/page';
import { openPage, pageFile } from './open';

const panel = (page: Page) => page.locator('[role=tabpanel]:not([hidden])');

test('the roofline of all kernels says which colour is which kernel, and which levels have no point', async ({
  page,
}) => {
  const make = () => {
    const data = runPage({ kernels: 3 }) as { view: { kernels: { roofs: { levels: Json[] }[] }[] } };
    const levels = (at: number) => data.view.kernels[at].roofs.flatMap((roof) => roof.levels);
    levels(1)
      .filter((level) => level.level === 'L1')
      .forEach((level) => Object.assign(level, { intensity: null }));
    [0, 1, 2]
      .flatMap(levels)
      .filter((level) => level.level === 'DRAM')
      .forEach((level) => Object.assign(level, { intensity: null }));
    return data;
  };
  await openPage(page, pageFile('silent', make), '#view=roofline');
  await expect(panel(page)).toContainText('Without traffic, so without a point: DRAM.');
  await expect(panel(page).locator('.legend .key')).toHaveText(['DRAM', 'L2', 'L1']);
  await panel(page).getByRole('combobox', { name: 'Kernels', exact: true }).selectOption('all');
  await expect(panel(page)).toContainText('Without traffic, so without a point: DRAM, L1 in 1 of 3 kernels.');
  await expect(panel(page).locator('.legend .key').filter({ hasText: 'reduce_rows' })).toHaveText([
    'reduce_rows_1',
    'reduce_rows_2',
  ]);
  await panel(page).getByText('Points as a table').click();
  const row = panel(page).getByRole('row', { name: /reduce_rows_2 L2/ });
  const colour = (of: Locator, property: string) =>
    of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect(await colour(row.locator('.swatch'), 'background-color')).toBe(
    await colour(panel(page).locator('.legend .key', { hasText: 'reduce_rows_2' }).locator('svg > *'), 'fill'),
  );
});
