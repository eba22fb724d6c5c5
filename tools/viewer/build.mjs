// SPDX-License-Identifier: MIT
// Builds the viewer: one HTML file with the script and the style inline, allowed by their hashes and nothing else.
// node build.mjs [FILE]: into FILE instead of dist/viewer.html.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(here, 'dist', 'viewer.html'));
const kMostBytes = 256 * 1024;

async function bundle(entry) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('src/main.ts');
const style = await bundle('src/style.css');
const licences = (await readFile(path.join(here, 'LICENCES.txt'), 'utf8')).trim();
if (/<\/(script|style)/i.test(script + style) || script.includes('@GPUSIM_DATA@')) {
  throw new Error('the script must neither end its element nor hold the mark that the data replaces');
}
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'";
const html = `<!doctype html>
<!-- SPDX-License-Identifier: MIT
${licences}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>gpusim</title>
<style>${style}</style>
</head>
<body>
<noscript>This report needs JavaScript. It loads nothing from a network.</noscript>
<div id="app"><p class="loading">Reading the result ...</p></div>
<script id="gpusim-data" type="application/octet-stream">@GPUSIM_DATA@</script>
<script>${script}</script>
</body>
</html>
`;
if (html.length > kMostBytes) {
  throw new Error(`the viewer has ${html.length} bytes, at most ${kMostBytes}`);
}
await mkdir(path.dirname(target), { recursive: true });
await writeFile(target, html);
console.log(`${target}: ${html.length} bytes`);
