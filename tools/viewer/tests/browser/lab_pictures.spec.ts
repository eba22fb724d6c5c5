// SPDX-License-Identifier: MIT
// What each lab is about, in one view of the page: GPUSIM_PROGRAM names the program that runs the labs' own commands.
// GPUSIM_LAB_PICTURES=docs/labs writes the pictures that the handouts show.
import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { complaints, openPage } from './open';

interface KeyPicture {
  readonly lab: string;
  /** The student's files as they are at the start, or done. */
  readonly files: 'start' | 'solution';
  /** Commands of the lab; the last one writes page.html. */
  readonly commands: readonly string[];
  readonly view: string;
  readonly height: number;
  /** What is chosen in the view: labels of lists, each with its option. */
  readonly choose?: Readonly<Record<string, string>>;
  /** A button that is pressed. */
  readonly press?: string;
}

const program = process.env.GPUSIM_PROGRAM ?? '';
const target = process.env.GPUSIM_LAB_PICTURES ?? '';
const student = 'ada';
const width = 1240;

const pictures: readonly KeyPicture[] = [
  {
    lab: 'thread-hierarchy',
    files: 'start',
    commands: [
      '--arch t4 --trace chain.trace --param length=2048 --param threads=1024 --param ctas=41 ' +
        '--cache cold --html page.html',
    ],
    view: 'SMs',
    height: 640,
  },
  {
    lab: 'latency-hiding',
    files: 'solution',
    commands: [
      '--arch v100 --set sm.count=56 --trace kernel.trace --param sms=56 --param warps=3 --cache ' +
        'cold --record warps=0:4000..5500 --html page.html',
    ],
    view: 'Warps',
    height: 600,
  },
  {
    lab: 'stalls',
    files: 'start',
    commands: ['--arch t4 --trace kernel.trace --param count=64 --record warps=0:1500..2100 --html page.html'],
    view: 'Warps',
    height: 600,
  },
  {
    lab: 'divergence',
    files: 'start',
    commands: [
      '--arch t4 --trace meet.trace --param ways=2 --param pair=outer --record warps=0:400..700 ' + '--html page.html',
    ],
    view: 'Warps',
    height: 600,
  },
  {
    lab: 'coalescing',
    files: 'start',
    commands: ['--arch t4 --trace kernel.trace --param n=131072 --param fields=3 --cache cold --html page.html'],
    view: 'Source',
    height: 580,
    press: 'Most expensive first',
  },
  {
    lab: 'bank-conflicts',
    files: 'start',
    commands: [
      '--arch rtx4090 --set sm.count=32 --trace padded.trace --param n=448 --param m=480 --cache ' +
        'cold --html page.html',
    ],
    view: 'Source',
    height: 580,
    press: 'Most expensive first',
  },
  {
    lab: 'occupancy',
    files: 'start',
    commands: ['--arch a100 --set sm.count=4 --trace kernel.trace --param n=262144 --cache cold --html page.html'],
    view: 'Occupancy',
    height: 690,
  },
  {
    lab: 'tiling',
    files: 'solution',
    commands: ['--arch twelfth.yaml --trace kernel.trace --param k=96 --cache cold --html page.html'],
    view: 'Memory',
    height: 690,
  },
  {
    lab: 'tensor-cores',
    files: 'start',
    commands: ['--arch a100 --set sm.count=4 --trace kernel.trace --param n=512 --param k=384 --html page.html'],
    view: 'Summary',
    height: 700,
  },
  {
    lab: 'roofline',
    files: 'start',
    commands: ['--arch quarter.yaml --trace kernel.trace --param n=393216 --cache cold --html page.html'],
    view: 'Roofline',
    height: 860,
    choose: { Kernels: 'all' },
  },
  {
    lab: 'flashattention',
    files: 'solution',
    commands: [
      '--arch part.yaml --trace naive.trace --param seq=896 --cache cold --json naive.json',
      '--arch part.yaml --trace kernel.trace --param seq=896 --cache cold --json flash.json',
      'compare naive.json flash.json --html page.html',
    ],
    view: 'Compare',
    height: 700,
  },
  {
    lab: 'design-a-gpu',
    files: 'start',
    commands: ['sweep study.yaml', 'sweep show --html page.html'],
    view: 'Sweep',
    height: 720,
    choose: { Across: 'cost' },
  },
];

test.skip(program === '', 'no program: GPUSIM_PROGRAM names it');

function gpusim(folder: string, line: string): void {
  execFileSync(program, line.split(' '), { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

for (const picture of pictures) {
  test(`the key picture of the lab ${picture.lab}`, async ({ page }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'gpusim-lab-'));
    const command = picture.files === 'start' ? 'start' : 'solution';
    gpusim(folder, `lab ${command} ${picture.lab} work --student ${student} -q`);
    picture.commands.forEach((line) => gpusim(path.join(folder, 'work'), line));
    const found = complaints(page);
    await page.setViewportSize({ width, height: picture.height });
    await openPage(page, pathToFileURL(path.join(folder, 'work', 'page.html')).href);
    const tab = page.getByRole('tab', { name: picture.view, exact: true });
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    for (const [label, option] of Object.entries(picture.choose ?? {})) {
      const list = page.locator('label.choice', { has: page.getByText(label, { exact: true }) }).locator('select');
      await list.selectOption(option);
    }
    if (picture.press !== undefined) {
      await page.getByRole('button', { name: picture.press }).click();
    }
    await page.waitForTimeout(300);
    if (target !== '') {
      await page.screenshot({ path: path.join(target, picture.lab, 'pictures', 'page.png') });
    }
    expect(found, found.join('\n')).toEqual([]);
    rmSync(folder, { recursive: true });
  });
}
