// SPDX-License-Identifier: MIT
// CTAs over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resident, spread, wavesOf } from '../../src/model/waves';

const rows = [
  { cta: 2, sm: 0, slot: 0, begin: 100, end: 200 },
  { cta: 0, sm: 0, slot: 0, begin: 0, end: 100 },
  { cta: 1, sm: 1, slot: 0, begin: 0, end: 150 },
];

test('a wave is the place of a CTA in its slot', () => {
  const waves = wavesOf(rows);
  assert.deepEqual(
    waves.bars.map((bar) => [bar.cta, bar.wave]),
    [
      [0, 0],
      [1, 0],
      [2, 1],
    ],
  );
  assert.equal(waves.most, 2);
});

test('the tail begins when a first SM has no CTA left', () => {
  const waves = wavesOf(rows);
  assert.equal(waves.tailFrom, 150);
  assert.equal(waves.end, 200);
  assert.equal(waves.idlePct, 12.5);
});

test('a CTA that follows another at once changes nothing', () => {
  assert.deepEqual(
    resident(rows).map((step) => [step.at, step.resident]),
    [
      [0, 2],
      [100, 2],
      [150, 1],
      [200, 0],
    ],
  );
});

test('the spread of nothing is zero on average', () => {
  assert.equal(spread([]).mean, 0);
  assert.deepEqual(spread([1, 3]), { least: 1, mean: 2, most: 3 });
});
