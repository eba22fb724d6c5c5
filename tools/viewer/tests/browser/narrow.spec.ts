// SPDX-License-Identifier: MIT
// On a narrow screen nothing makes the page scroll sideways: what is wide scrolls in a box of its own, says so, and is
// reached by keys.
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { applicationPage } from '../data/application';
import { hostilePage } from '../data/extreme';
import { comparePage, partPage, runPage } from '../data/page';
import { sweepPage } from '../data/sweep';
import { complaints, openPage, pageFile } from './open';

const pages: [string, () => unknown][] = [
  ['run', () => runPage()],
  ['unrecorded', () => runPage({ recorded: false })],
  ['compare', comparePage],
  ['part', partPage],
  ['sweep', sweepPage],
  ['application', applicationPage],
  ['hostile', hostilePage],
];

/** What reaches beyond the window without standing in a box that scrolls; and boxes that scroll without saying so. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const told: string[] = [];
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) {
      told.push(`the page is ${document.documentElement.scrollWidth} wide`);
    }
    const holds = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).overflowX !== 'visible' || holds(element.parentElement));
    for (const element of document.querySelectorAll('body *')) {
      const { width, right } = element.getBoundingClientRect();
      if (
        width > 1 &&
        right > wide + 1 &&
        !holds(element.parentElement) &&
        getComputedStyle(element).position !== 'fixed'
      ) {
        told.push(`${element.tagName}.${element.getAttribute('class')} ends at ${Math.round(right)}`);
      }
    }
    for (const box of document.querySelectorAll<HTMLElement>('main .scroll, main .scroll-x, main .grid')) {
      const overflows = box.scrollWidth > box.clientWidth + 2;
      const hint = box.nextElementSibling as HTMLElement | null;
      const says = hint?.classList.contains('scroll-hint') === true && !hint.hidden;
      if (box.clientWidth > 0 && (overflows !== says || (overflows && box.tabIndex !== 0))) {
        told.push(`${box.getAttribute('aria-label')}: overflows ${overflows}, says so ${says}, tab ${box.tabIndex}`);
      }
    }
    return told.slice(0, 8);
  });
}

for (const [name, make] of pages) {
  for (const width of [360, 420]) {
    test(`a ${name} fits a width of ${width}`, async ({ page }) => {
      test.slow();
      const found = complaints(page);
      await page.setViewportSize({ width, height: 800 });
      await openPage(page, pageFile(name, make));
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        for (const summary of await page.locator('[role=tabpanel]:not([hidden]) summary').all()) {
          await summary.click();
        }
        const label = (await tab.textContent()) ?? '';
        await expect.poll(() => tooWide(page), { message: label }).toEqual([]);
        if (width === 360) {
          const axe = new AxeBuilder({ page }).withRules(['scrollable-region-focusable', 'region', 'target-size']);
          const { violations } = await axe.exclude('tbody tr:nth-child(n+12)').analyze();
          expect(
            violations.map((item) => `${item.id}: ${item.nodes[0].html.slice(0, 160)}`),
            label,
          ).toEqual([]);
        }
      }
      expect(found).toEqual([]);
    });
  }
}

test('titles are whole on a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 800 });
  for (const [name, make] of pages) {
    await openPage(page, pageFile(name, make));
    const cut = await page.locator('h1, header p, h3, h4').evaluateAll((titles) =>
      titles
        .flatMap((title) => [title, ...title.querySelectorAll('*')])
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
        .map((part) => part.textContent.slice(0, 60)),
    );
    expect(cut, name).toEqual([]);
  }
});

test('a line never ends between a number and its unit', async ({ page }) => {
  await openPage(
    page,
    pageFile('run', () => runPage()),
    '#view=series',
  );
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    const parted = await page.locator('[role=tabpanel]:not([hidden])').evaluate((panel) => {
      const texts = [...panel.querySelectorAll<HTMLElement>('p, li, td, dd, span')];
      return texts
        .filter((element) => element.closest('code, .code, svg') === null)
        .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
        .map((node) => node.textContent ?? '')
        .filter((text) => /\d (%|us|GB\/s|TB\/s|TFLOP\/s|B)(?!\w)/.test(text));
    });
    expect(parted, (await tab.textContent()) ?? '').toEqual([]);
  }
});

test('a table scrolls by keys, and its hint says where the rest is', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 800 });
  await openPage(
    page,
    pageFile('run', () => runPage()),
    '#view=summary',
  );
  const box = page.getByRole('region', { name: 'Warp states' });
  const hint = box.locator('xpath=following-sibling::p');
  await expect(hint).toHaveText('more to the right →');
  await box.focus();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(hint).toHaveText('← more to the left');
  expect(await box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.getByRole('tab', { name: 'Summary' }).focus();
  await expect(page.getByRole('region', { name: 'Warp states' })).toHaveCount(0);
});
