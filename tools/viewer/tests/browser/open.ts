// SPDX-License-Identifier: MIT
// Opens pages from files, as a reader does, and collects what the console complains about.
import type { Page } from '@playwright/test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { block, fill } from '../data/fill';

const viewer = readFileSync(process.env.GPUSIM_VIEWER ?? path.join(process.cwd(), 'dist', 'viewer.html'), 'utf8');
const folder = mkdtempSync(path.join(os.tmpdir(), 'gpusim-pages-'));
const files = new Map<string, string>();

/** The URL of a page file with this data block; made once for each name. */
export function fileOf(name: string, data: () => string): string {
  let url = files.get(name);
  if (url === undefined) {
    const file = path.join(folder, `${name}.html`);
    writeFileSync(file, fill(viewer, data()));
    url = pathToFileURL(file).href;
    files.set(name, url);
  }
  return url;
}

export function pageFile(name: string, make: () => unknown): string {
  return fileOf(name, () => block(make()));
}

/** Complaints of the page: errors of scripts and of the console, and any request that leaves the file. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      found.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) {
      found.push(`request: ${request.url()}`);
    }
  });
  return found;
}

export async function openPage(page: Page, url: string, hash = ''): Promise<void> {
  await page.goto(`${url}${hash}`);
  await page.locator('[role=tab], .problem').first().waitFor();
}
