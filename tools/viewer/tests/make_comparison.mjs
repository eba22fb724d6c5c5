// SPDX-License-Identifier: MIT
// Writes the data of pages that the program wrote, so that tests read what it writes:
// node tests/make_comparison.mjs PROGRAM. data/comparison.b64: A, strided accesses; B, the same kernel, dense; C,
// another kernel; D, A once more. data/part.b64: A, and as B some of its CTAs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(os.tmpdir(), 'gpusim-comparison-'));
const gpusim = (...words) => execFileSync(program, [...words, '--quiet'], { cwd: folder, stdio: 'pipe' });
const result = (file, trace, ...more) =>
  gpusim('--arch', 'h100', '--cache', 'cold', '--trace', trace, '--param', 'n=65536', '--json', file, ...more);

/** Compares files and keeps the data of the page. */
function page(target, ...words) {
  gpusim('compare', ...words, '--html', 'page.html');
  const [, block] = /<script id="gpusim-data"[^>]*>([^<]*)</.exec(readFileSync(path.join(folder, 'page.html'), 'utf8'));
  const packed = brotliCompressSync(gunzipSync(Buffer.from(block, 'base64')), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
  const lines = packed.toString('base64').match(/.{1,120}/g);
  writeFileSync(path.join(here, 'data', target), `${lines.join('\n')}\n`);
}

try {
  result('strided.json', 'add-strided');
  result('dense.json', 'add-strided', '--param', 'stride=1');
  result('saxpy.json', 'saxpy');
  result('part.json', 'add-strided', '--ctas', '0..7');
  page('comparison.b64', 'strided.json', 'dense.json', 'saxpy.json', 'strided.json', '--fail-if', 'time_us > 1x');
  page('part.b64', 'strided.json', 'part.json');
} finally {
  rmSync(folder, { recursive: true });
}
