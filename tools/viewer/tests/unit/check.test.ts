// SPDX-License-Identifier: MIT
// Decoding and checking the data of a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import { decode, PageProblem } from '../../src/data/decode';
import { block } from '../data/fill';
import { hostilePage, kHostile, longPage } from '../data/extreme';
import { readStates, stateName, withNames } from '../../src/data/states';
import { comparePage, runPage } from '../data/page';
import { longestByName } from '../../src/views/kernel_names';
import { states as stateTable } from '../data/states';
import { sweepPage } from '../data/sweep';

test('a block unpacks to what was packed', async () => {
  assert.deepEqual(await decode(block({ schema: 'x', text: 'ä </script>' })), { schema: 'x', text: 'ä </script>' });
});

test('an empty, cut or changed block says what is wrong', async () => {
  const good = block(runPage());
  await assert.rejects(decode('@NOT_FILLED@'), /holds no result/);
  await assert.rejects(decode(good.slice(0, good.length / 2)), PageProblem);
  await assert.rejects(decode(`!!${good}`), /cannot be unpacked/);
});

test('other schemas and kinds are refused with advice', () => {
  assert.throws(() => readPage({ ...runPage(), schema: 'gpusim.page/2' }), /reads "gpusim.page\/1"/);
  assert.throws(() => readPage({ ...runPage(), kind: 'film' }), /kind "film"/);
  for (const value of [null, 3, 'text', [], {}]) {
    assert.throws(() => readPage(value), PageProblem);
  }
});

test('a page without most of its parts still has a run', () => {
  const { runs } = readPage({ schema: 'gpusim.page/1', kind: 'run', result: { kernels: [{}, null, 7] } });
  assert.equal(runs[0].kernels.length, 3);
  assert.equal(runs[0].kernels[0].series, null);
  assert.equal(runs[0].watch, null);
  assert.deepEqual(runs[0].states, []);
});

test('a kernel without a name has its number, and text shows marks of direction', () => {
  const names = ['', '  ', 'a\u202Eb\u2066c', 'שלום'];
  const page = { schema: 'gpusim.page/1', kind: 'run', result: { kernels: names.map((name) => ({ name })) } };
  assert.deepEqual(
    readPage(page).runs[0].kernels.map((kernel) => kernel.name),
    ['kernel 0', 'kernel 1', 'a\uFFFDb\uFFFDc', 'שלום'],
  );
});

test('of launches that share a name the longest is found', () => {
  const kernels = [
    { name: 'a', time_us: 1 },
    { name: 'b', time_us: 9 },
    { name: 'a', time_us: 3 },
    { name: 'a', time_us: 3 },
  ];
  const { runs } = readPage({ schema: 'gpusim.page/1', kind: 'run', result: { kernels } });
  assert.equal(longestByName(runs[0].kernels).get('a')?.index, 2);
  assert.equal(longestByName(runs[0].kernels).get('b')?.index, 1);
});

test('values of wrong types become defaults', () => {
  const page = runPage();
  const { kernels } = page.result as { kernels: Record<string, unknown>[] };
  Object.assign(kernels[0], { cycles: 'many', stalls: [1], hotspots: { a: 1 }, series: 3, ctas: [], occupancy: null });
  const [kernel] = readPage(page).runs[0].kernels;
  assert.equal(kernel.cycles, 0);
  assert.deepEqual(kernel.code(), []);
  assert.equal(kernel.occupancy.maxWarps, 64);
});

test('a unit that the page does not weigh is weighed by its share of the peak', () => {
  const [kernel] = readPage(runPage()).runs[0].kernels;
  const unit = (name: string) => kernel.units.find((item) => item.name === name);
  assert.deepEqual([unit('Tensor')?.pct, unit('Tensor')?.decidingPct], [41.2, 64.4]);
  assert.deepEqual([unit('L2')?.decidingPct, unit('L2')?.bounds], [22.8, false]);
});

test('hostile names stay as they are', () => {
  const [kernel] = readPage(hostilePage()).runs[0].kernels;
  assert.ok(kernel.name.startsWith(kHostile) && kernel.name.length > 5000);
});

test('fields of instructions that are left out are zero', () => {
  const [kernel] = readPage(longPage(1000)).runs[0].kernels;
  assert.equal(kernel.code().length, 1000);
  assert.equal(kernel.code()[7].requests, 0);
  assert.equal(kernel.code()[7].cycles, 32 + 91 + 4007);
});

test('a comparison has its runs by name; one run alone is refused', () => {
  assert.deepEqual(
    readPage(comparePage()).runs.map((run) => run.name),
    ['A: strided.json', 'B: dense.json', 'C: saxpy.json', 'D: strided.json'],
  );
  const page = comparePage();
  page.runs = (page.runs as unknown[]).slice(3);
  assert.throws(() => readPage(page), /fewer than two/);
});

test('findings of a sweep are tables; what is no table is left empty', () => {
  const page = sweepPage();
  (page.sweep as { tables: unknown[] }).tables.push('<b>', { title: 'T', columns: ['a', 'b'], rows: [['x']] });
  const { sweep } = readPage(page);
  assert.equal(sweep?.findings[0].title, 'Best points');
  const [none, short] = sweep?.findings.slice(-2) ?? [];
  assert.deepEqual([none.title, none.before, none.columns, none.rows], ['', [], [], []]);
  assert.deepEqual(short.rows, [['x', null]]);
});

test('the middle points of a sweep are rows that it has', () => {
  const page = sweepPage();
  (page.sweep as { middles: unknown[] }).middles = [2, -1, 99, 'x', 1.5];
  assert.deepEqual(readPage(page).sweep?.middles, [2]);
});

test('a sweep keeps numbers and words, and fills short rows', () => {
  const page = sweepPage();
  (page.sweep as { rows: unknown[][] }).rows.push([1]);
  const { sweep } = readPage(page);
  assert.deepEqual(sweep?.rows.at(-1), [1, null, null, null]);
  assert.equal(sweep?.rows[0][1], '25 MiB');
});

test('a warp state has one name, also in sentences of the program', () => {
  const states = readStates(stateTable());
  assert.equal(stateName(states, 'mio_throttle'), 'MIO Throttle');
  assert.equal(stateName(states, 'another'), 'another');
  assert.equal(
    withNames('warps spend 38 % of their time in mio_throttle, waiting for room (mio_throttle)', states),
    'warps spend 38 % of their time in MIO Throttle, waiting for room (MIO Throttle)',
  );
  assert.equal(withNames('430 k of them in drain, waiting for stores (drain)', states).match(/Drain/g)?.length, 2);
  // Words that are no names of states stay.
  const other = 'warps wait at a barrier in wait_kernel; stalls.mio_throttle.sum; in drain';
  assert.equal(withNames(other, states), other);
  assert.equal(readStates([{ key: 'x(', label: 'Stall $& X' }])[0].label, '$& X');
});

test('a page without a table of states has none, and a state without a letter has the first of its key', () => {
  assert.deepEqual(readStates(undefined), []);
  assert.deepEqual(
    readStates([{ key: 'abc' }, { label: 'no key' }]).map((state) => [state.glyph, state.label]),
    [['a', 'abc']],
  );
});
