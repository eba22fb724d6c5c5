// SPDX-License-Identifier: MIT
// Bundles the unit tests and runs them with node's own runner: node tests/run_unit.mjs [PART OF A FILE NAME].
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const wanted = process.argv[2] ?? '';
const files = (await readdir(path.join(here, 'unit')))
  .filter((file) => file.endsWith('.test.ts') && file.includes(wanted))
  .sort();
if (files.length === 0) {
  throw new Error(`no unit test has "${wanted}" in its name`);
}
const folder = await mkdtemp(path.join(os.tmpdir(), 'gpusim-viewer-'));
try {
  await build({
    entryPoints: files.map((file) => path.join(here, 'unit', file)),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  const made = (await readdir(folder)).map((file) => path.join(folder, file));
  process.exitCode =
    spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...made], { stdio: 'inherit' }).status ?? 1;
} finally {
  await rm(folder, { recursive: true });
}
