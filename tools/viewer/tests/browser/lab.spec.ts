// SPDX-License-Identifier: MIT
// gpusim lab serve as a student meets it, with the program that GPUSIM_PROGRAM names; and a handout on its own.
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { complaints } from './open';

const program = process.env.GPUSIM_PROGRAM ?? '';
const pictures = process.env.GPUSIM_SCREENSHOTS ?? '';
test.skip(program === '', 'no program: GPUSIM_PROGRAM names it');
test.describe.configure({ mode: 'serial' });

let folder = '';
let server: ChildProcess;
let address = '';

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gpusim-labs-'));
  server = spawn(program, ['lab', 'serve', folder, '--student', 'mary'], { stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.on('data', (text: Buffer) => {
      said += text.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{64}\//.exec(said) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    });
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
});

test.afterAll(async () => {
  const ended = new Promise((resolve) => server.on('exit', resolve));
  server.kill('SIGINT');
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true });
});

/** Complaints, also about requests to anything but the server. */
function watch(page: Page): string[] {
  const found = complaints(page);
  return new Proxy(found, {
    get: (target, key) =>
      Reflect.get(
        target.filter((text) => !text.startsWith(`request: ${address}`)),
        key,
      ) as unknown,
  });
}

async function axe(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.map((item) => `${item.id}: ${item.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== '') {
    await page.screenshot({ path: path.join(pictures, `lab-${name}.png`) });
  }
}

test('a student begins, edits, runs, looks at the timeline, and checks', async ({ page }) => {
  test.slow();
  const found = watch(page);
  await page.goto(address);
  await expect(page.getByRole('row')).not.toHaveCount(1);
  await picture(page, 'list');
  await page.getByRole('link', { name: 'Coalescing' }).click();
  await expect(page.getByRole('heading', { name: 'Predict' })).toBeVisible();
  await page.getByRole('button', { name: 'Begin', exact: true }).click();

  const editor = page.getByRole('textbox', { name: 'Text of kernel.trace' });
  await expect(editor).toHaveValue(/kernel move/);
  await page.getByRole('button', { name: 'answers.yaml' }).click();
  const answers = page.getByRole('textbox', { name: 'Text of answers.yaml' });
  await answers.fill(
    (await answers.inputValue())
      .replace('predict-sectors:', 'predict-sectors: 4')
      .replace('used-share:', 'used-share: 71'),
  );
  await expect(page.getByRole('status').first()).toHaveText('Saved');
  expect(readFileSync(path.join(folder, 'coalescing', 'answers.yaml'), 'utf8')).toContain('predict-sectors: 4');
  await page.getByRole('button', { name: 'kernel.trace', exact: true }).click();
  await picture(page, 'work');

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const report = page.frameLocator('iframe.report');
  await expect(report.getByRole('tab', { name: 'Summary' })).toBeVisible();
  await report.getByRole('tab', { name: 'Warps' }).click();
  await expect(report.locator('.warps canvas')).toBeVisible();
  await page.locator('iframe.report').scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  await picture(page, 'timeline');

  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const check = page.locator('.check-output');
  await expect(check.getByRole('heading')).toHaveText(/\d+ of 9 points/);
  await expect(check.locator('.not-yet .hint').first()).not.toBeEmpty();
  await picture(page, 'check');
  expect(found.length, found.join('\n')).toBe(0);
});

test('a reload has what was written, and the next run opens on the view that was shown', async ({ page }) => {
  const found = watch(page);
  await page.goto(`${address}labs/coalescing/`);
  const editor = page.getByRole('textbox', { name: 'Text of kernel.trace' });
  await editor.fill(`${await editor.inputValue()}\n# my own line\n`);
  await page.reload(); // at once: nothing waits for the text to be saved
  await expect(editor).toHaveValue(/# my own line/);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const report = page.frameLocator('iframe.report');
  await report.getByRole('tab', { name: 'Warps' }).click();
  await page
    .getByRole('button', { name: /^Run shifted.trace on t4/ })
    .first()
    .click();
  await expect(report.getByRole('heading', { level: 1 })).toContainText('A read that does not begin');
  await expect(report.getByRole('tab', { name: 'Warps' })).toHaveAttribute('aria-selected', 'true');
  expect(found.length, found.join('\n')).toBe(0);
});

test('what is wrong in a file leads to its line', async ({ page }) => {
  await page.goto(`${address}labs/coalescing/`);
  const editor = page.getByRole('textbox', { name: 'Text of kernel.trace' });
  const text = await editor.inputValue();
  await editor.fill(text.replace('kernel move', 'kernle move'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const place = page.getByRole('button', { name: /^kernel.trace:\d+:\d+$/ }).first();
  await place.click();
  await expect(editor).toBeFocused();
  const line = Number((await place.textContent())?.split(':')[1]);
  expect(
    await editor.evaluate((area: HTMLTextAreaElement) => area.value.slice(0, area.selectionStart).split('\n').length),
  ).toBe(line);
  await page.getByRole('button', { name: 'Begin anew' }).click();
  await expect(editor).not.toHaveValue(/kernle/);
});

test('when another program changed a file, the student says which text is kept', async ({ page }) => {
  await page.goto(`${address}labs/coalescing/`);
  const editor = page.getByRole('textbox', { name: 'Text of kernel.trace' });
  await expect(editor).toHaveValue(/kernel move/);
  const file = path.join(folder, 'coalescing', 'kernel.trace');
  writeFileSync(file, '# theirs\n');
  await editor.fill('# mine\n');
  await page.getByRole('button', { name: 'Take the text of the file' }).click();
  await expect(editor).toHaveValue('# theirs\n');
  writeFileSync(file, '# theirs again\n');
  await editor.fill('# mine\n');
  await page.getByRole('button', { name: 'Keep the text of this page' }).click();
  await expect(page.getByRole('status').first()).toHaveText('Saved');
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
  await page.getByRole('button', { name: 'Begin anew' }).click();
  await expect(editor).toHaveValue(/kernel move/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the pages of labs in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(address);
    await expect(page.getByRole('row')).not.toHaveCount(1);
    expect(await axe(page)).toEqual([]);
    await page.goto(`${address}labs/stalls/`);
    await expect(page.getByRole('button', { name: 'Begin', exact: true })).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await page.goto(`${address}labs/coalescing/`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.locator('.check-output').getByRole('heading')).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await picture(page, `page-${colorScheme}`);
  });
}

test('a handout is a file that loads nothing, dark and light, and light on paper', async ({ page }) => {
  const found = complaints(page);
  const file = path.join(folder, 'handout.html');
  execFileSync(program, ['lab', 'show', 'coalescing', '--student', 'mary', '--page', file]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coalescing');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await axe(page)).toEqual([]);
  await picture(page, 'handout');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByRole('button', { name: 'Theme' })).toBeHidden();
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
  expect(found).toEqual([]);
});

/** As a check leaves the folder of a lab that has passed: its page has the discussion then. */
function pass(lab: string): void {
  mkdirSync(path.join(folder, lab), { recursive: true });
  writeFileSync(path.join(folder, lab, 'DISCUSSION.md'), '');
}

/** The pictures of the lab on the thread hierarchy, moved with keys alone; both kinds of pages have them. */
async function tryPictures(page: Page): Promise<void> {
  const grid = page.getByRole('region', { name: 'Grid, CTA, warp and lane' });
  const words = grid.locator('.picture-words');
  await expect(words).toContainText('The grid has');
  await grid.getByRole('button', { name: 'CTA 0' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(grid.getByRole('button', { name: 'CTA 1' })).toBeFocused();
  await expect(words).toContainText(/^CTA 1 ran on SM \d+/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(words).toContainText(/lanes had no thread/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(grid.getByRole('button', { name: 'Lane 31, without a thread' })).toHaveAttribute('aria-pressed', 'true');
  await expect(words).toContainText('a warp belongs to one CTA');

  const race = page.getByRole('region', { name: 'A core against a GPU' });
  const told = race.getByRole('status');
  const launch = race.getByRole('combobox', { name: 'Launch' });
  await expect(told).toContainText('After 0 us: the core has done 0 of 1; the GPU 0 of 1.');
  const time = race.getByRole('slider', { name: 'Time' });
  await time.focus();
  await page.keyboard.press('End');
  await expect(told).toContainText(/the core has done all 1, after .* us; the GPU all 1, after/);
  await launch.selectOption({ label: '40 CTAs of 1024: 40,960 chains' });
  await expect(told).toContainText('After 0 us');
  await race.getByRole('button', { name: 'Play' }).press('Enter');
  await expect(race.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(told).toContainText(/the GPU all 40,960, after .* The slower one ends after 1,3\d\d us\.$/);
  await expect(race.locator('.lane-box').nth(1).locator('.done')).toHaveCount(40);
}

test('the pictures of a handout are moved with keys, beside the files and on a page of its own', async ({ page }) => {
  test.slow();
  const found = watch(page);
  await page.goto(`${address}labs/thread-hierarchy/`);
  await expect(page.getByRole('heading', { name: 'Discussion' })).toBeHidden();
  pass('thread-hierarchy');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Discussion' })).toBeVisible();
  await tryPictures(page);
  expect(await axe(page)).toEqual([]);
  await picture(page, 'pictures-served');
  expect(found.length, found.join('\n')).toBe(0);

  const alone = complaints(page);
  const file = path.join(folder, 'hierarchy.html');
  execFileSync(program, ['lab', 'show', 'thread-hierarchy', '--student', 'mary', '--discussion', '--page', file]);
  await page.goto(pathToFileURL(file).href);
  await tryPictures(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axe(page)).toEqual([]);
    await page.getByRole('region', { name: 'A core against a GPU' }).scrollIntoViewIfNeeded();
    await picture(page, `pictures-${colorScheme}`);
  }
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: 'A core against a GPU' })).toBeHidden();
  expect(alone).toEqual([]);
});

test('a reader who wants no motion sees the end of a race at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${address}labs/thread-hierarchy/`);
  const race = page.getByRole('region', { name: 'A core against a GPU' });
  await race.getByRole('button', { name: 'Play' }).click();
  await expect(race.getByRole('slider', { name: 'Time' })).toHaveValue('200');
  await expect(race.getByRole('button', { name: 'Play' })).toBeVisible();
});

test('a short sweep of a handout has a button for each point', async ({ page }) => {
  await page.goto(`${address}labs/latency-hiding/`);
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  const points = page.getByRole('button', { name: /^Run sweep.trace on v100/ });
  await expect(points).toHaveText([1, 2, 4, 8, 16, 32, 64].map((warps) => `Run warps=${warps}`));
  await points.nth(3).click();
  const report = page.frameLocator('iframe.report');
  await expect(report.getByRole('heading', { level: 1 })).toContainText('One load in flight a warp');
});

test('CUDA begins with a button, and is checked in place of the trace', async ({ page }) => {
  test.slow();
  await page.goto(`${address}labs/coalescing/`);
  await page.getByRole('button', { name: 'kernel.cu', exact: true }).click();
  await expect(page.getByRole('status').first()).toContainText("'Begin anew' writes it");
  await page.getByRole('button', { name: 'Begin anew' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of kernel.cu' })).toHaveValue(/__global__ void move/);
  await expect(page.locator('label.choice', { hasText: '--trace' }).locator('select')).toContainText('kernel.cu');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.locator('.check-output')).toContainText('kernel.cu is checked in place of kernel.trace');
});
