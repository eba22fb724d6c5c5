// SPDX-License-Identifier: MIT
// Writes a page to look at: node tests/make_page.mjs KIND FILE.html [RESULT.json]. KIND: run, compare, sweep, app,
// hostile, long, watch, or result, which shows a result of the program
// (--format json) without what its report would derive.
import { build } from 'esbuild';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const bundled = await build({
  stdin: {
    contents: ['page', 'application', 'sweep', 'extreme', 'fill', 'pack']
      .map((name) => `export * from './data/${name}';`)
      .join('\n'),
    resolveDir: here,
    loader: 'ts',
  },
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
});
const make = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
const [kind, target, file] = process.argv.slice(2);
const kinds = {
  run: () => make.runPage(),
  compare: () => make.comparePage(),
  sweep: () => make.sweepPage(),
  app: () => make.applicationPage(),
  hostile: () => make.hostilePage(),
  long: () => make.longPage(1_000_000),
  watch: () => make.longWatch(2_000_000),
  result: async () => ({
    schema: 'gpusim.page/1',
    kind: 'run',
    version: '0',
    view: {},
    ...make.runOf(JSON.parse(await readFile(file, 'utf8'))),
  }),
};
const viewer = await readFile(path.join(here, '..', 'dist', 'viewer.html'), 'utf8');
await writeFile(target, make.fill(viewer, make.block(await kinds[kind]())));
