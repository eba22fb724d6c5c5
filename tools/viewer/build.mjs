// SPDX-License-Identifier: MIT
// Builds the pages: HTML files with the script and the style inline, allowed by their hashes and nothing else.
// node build.mjs [FOLDER]: into FOLDER instead of dist/.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(here, 'dist'));
const own = "gpusim's viewer is under the MIT licence of gpusim.";

/** What each page is made of; the program replaces the marks @GPUSIM_...@ (docs/architecture.md). */
const pages = [
  {
    name: 'viewer',
    script: 'src/main.ts',
    style: 'src/style.css',
    licences: (await readFile(path.join(here, 'LICENCES.txt'), 'utf8')).trim(),
    title: 'gpusim',
    body: `<noscript>This report needs JavaScript. It loads nothing from a network.</noscript>
<div id="app"><p class="loading">Reading the result ...</p></div>
<script id="gpusim-data" type="application/octet-stream">@GPUSIM_DATA@</script>`,
    mostBytes: 256 * 1024,
  },
  {
    name: 'handout',
    script: 'src/lab/handout.ts',
    style: 'src/lab/handout.css',
    licences: own,
    title: '@GPUSIM_TITLE@ - gpusim lab',
    body: '@GPUSIM_BODY@',
    mostBytes: 32 * 1024,
  },
  {
    name: 'workbench',
    script: 'src/lab/main.ts',
    style: 'src/lab/workbench.css',
    licences: own,
    title: '@GPUSIM_TITLE@ - gpusim lab',
    body: `<noscript>The labs need JavaScript. They load nothing from a network.</noscript>
<div id="app"></div>
<article class="handout" id="handout" hidden>
@GPUSIM_BODY@
</article>
<script id="gpusim-data" type="application/json">@GPUSIM_DATA@</script>`,
    mostBytes: 64 * 1024,
    // Only the server that the page came from; it has no icon.
    more: "; connect-src 'self'; frame-src 'self'",
    head: '<link rel="icon" href="data:,">\n',
  },
];

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

async function htmlOf(page) {
  const script = await bundle(page.script);
  const style = await bundle(page.style);
  if (/<\/(script|style)/i.test(script + style) || script.includes('@GPUSIM_')) {
    throw new Error('the script must neither end its element nor hold a mark that the program replaces');
  }
  const policy =
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
    `base-uri 'none'; form-action 'none'${page.more ?? ''}`;
  return `<!doctype html>
<!-- SPDX-License-Identifier: MIT
${page.licences}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.head ?? ''}<title>${page.title}</title>
<style>${style}</style>
</head>
<body>
${page.body}
<script>${script}</script>
</body>
</html>
`;
}

await mkdir(target, { recursive: true });
for (const page of pages) {
  const html = await htmlOf(page);
  if (html.length > page.mostBytes) {
    throw new Error(`${page.name}.html has ${html.length} bytes, at most ${page.mostBytes}`);
  }
  await writeFile(path.join(target, `${page.name}.html`), html);
  console.log(`${path.join(target, page.name)}.html: ${html.length} bytes`);
}
