// SPDX-License-Identifier: MIT
// Browser tests use the Chromium of the machine; nothing is downloaded. CHROMIUM names another one.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  workers: 2,
  // Machines that build at the same time are slow: a test that fails has one more try, and is told as flaky.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['dot']],
  use: {
    viewport: { width: 1360, height: 900 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
});
