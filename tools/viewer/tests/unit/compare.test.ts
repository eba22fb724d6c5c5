// SPDX-License-Identifier: MIT
// Comparisons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import { amount, changeText, diagnosticsOf, headline, opcodesOf, partOf, stateChanges } from '../../src/model/compare';
import { bytes, plain, scaled, signed, time } from '../../src/model/format';
import { comparePage, partPage } from '../data/page';

const page = readPage(comparePage());
const { comparison, runs } = page;
assert.ok(comparison);
const of = (name: string) => {
  const change = comparison.changes.find((item) => item.second === name);
  assert.ok(change);
  return change;
};

test('every later result is compared with the first, as the program says it', () => {
  assert.deepEqual(
    comparison.changes.map((change) => [change.first, change.second]),
    [
      ['A', 'B'],
      ['A', 'C'],
      ['A', 'D'],
    ],
  );
  for (const change of comparison.changes.slice(0, 2)) {
    assert.ok(change.summary[0].endsWith(`: ${headline(change)}.`), change.summary[0]);
  }
});

test('the headline says how fast, how slow, or that nothing differs', () => {
  assert.match(headline(of('B')), /^B is 2\.\d\d times as fast$/);
  assert.equal(headline(of('D')), 'No difference');
  assert.equal(headline({ ...of('B'), timeRatio: 2 }), 'B is 2.00 times as slow');
  assert.equal(headline({ ...of('B'), timeRatio: 1.05 }), 'B is 5.00 % slower');
  assert.equal(headline({ ...of('B'), timeRatio: 1 }), 'B takes as long as A');
  assert.equal(headline({ ...of('B'), timeRatio: null }), 'B against A');
  assert.equal(headline(of('B'), true), 'B against A, as far as they ran');
});

test('a result of some CTAs, or that was stopped, is named as a part', () => {
  assert.deepEqual(diagnosticsOf(page, of('B')), []);
  const part = readPage(partPage());
  const [change] = part.comparison?.changes ?? [];
  assert.match(diagnosticsOf(part, change)[0], /^B ran 8 of the 256 CTAs of add_strided\. /);
  assert.equal(partOf({ ...runs[0], complete: false }), 'was stopped before its end');
  assert.equal(partOf(undefined), '');
});

test('states come with the largest difference first, and differences sum to that of the sum', () => {
  for (const change of comparison.changes) {
    const rows = stateChanges(runs[0].states, change);
    const sizes = rows.map((row) => Math.abs(row.cycles.difference));
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
    assert.equal(
      rows.reduce((sum, row) => sum + row.cycles.difference, 0),
      change.warpCycles.difference,
    );
    assert.ok(rows.every((row) => row.state.label.length > 0));
  }
});

test('kernels and lines are those that the program matched', () => {
  assert.deepEqual(
    of('B').kernels.map((kernel) => kernel.name),
    ['add_strided'],
  );
  const [line] = of('B').kernels[0].lines ?? [];
  assert.equal(opcodesOf(line), 'FADD');
  assert.deepEqual(of('C').kernels, []);
  assert.deepEqual(
    [of('C').onlyFirst, of('C').onlySecond].map((list) => list.map((kernel) => kernel.name)),
    [['add_strided'], ['saxpy']],
  );
  assert.equal(opcodesOf({ ...line, second: 'FFMA' }), 'FADD > FFMA');
  assert.equal(opcodesOf({ ...line, first: null }), '- > FADD');
});

test('lines that a page leaves out are no empty list', () => {
  const data = comparePage() as { compare: { changes: { kernels: { lines: unknown }[] }[] } };
  data.compare.changes[0].kernels[0].lines = null;
  assert.equal(readPage(data).comparison?.changes[0].kernels[0].lines, null);
});

test('causes and settings have both values', () => {
  const [first] = of('B').causes;
  assert.equal(first.what, 'bytes of DRAM');
  assert.deepEqual([first.speedsUp, changeText(first.first, first.second)], [true, '1/8.00']);
  assert.deepEqual(of('B').settings, [{ what: 'parameters', first: 'stride=8', second: 'stride=1' }]);
  assert.equal(comparison.outcomes.length, 3);
});

test('a comparison of another shape is empty, not an error', () => {
  for (const value of [undefined, null, 3, [], { changes: [null, 7, { kernels: 'x', states: [1] }], runs: [{}] }]) {
    const read = readPage({ ...comparePage(), compare: value });
    assert.ok(read.comparison);
    read.comparison.changes.forEach((change) => headline(change));
  }
});

test('numbers and changes read as the program writes them', () => {
  assert.equal(changeText(4, 4), 'no change');
  assert.equal(changeText(1, 2.5), '2.50 x');
  assert.equal(changeText(8, 1), '1/8.00');
  assert.equal(changeText(100, 82), '-18.00 %');
  assert.equal(changeText(0, 3), 'new');
  assert.equal(changeText(3, 0), 'gone');
  assert.equal(changeText(null, 3), 'n/a');
  assert.equal(amount(4_194_304, 'bytes'), '4.19 MB');
  assert.equal(amount(0.18, '%'), '0.2 %');
  assert.equal(amount(12_345_678, ''), '12.3 M');
  assert.equal(amount(36_864, ''), '36,864');
});

test('numbers read well', () => {
  assert.equal(plain(1234567), '1,234,567');
  assert.equal(plain(3.14159), '3.14');
  assert.equal(plain(null), 'n/a');
  assert.equal(scaled(1.234e13, 'FLOP/s'), '12.3 TFLOP/s');
  assert.equal(bytes(0), '0 B');
  assert.equal(signed(-0.01), '0.0 %');
  assert.equal(time(1500), '1.50 ms');
});
