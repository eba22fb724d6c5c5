// SPDX-License-Identifier: MIT
// Numbers and their units.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withUnits } from '../../src/model/units';

test('a number is not parted from its unit', () => {
  assert.equal(withUnits('busy 64 % of the time'), 'busy 64\u00a0% of the time');
  assert.equal(withUnits('3.35 TB/s, 32 KiB; 2.38 us.'), '3.35\u00a0TB/s, 32\u00a0KiB; 2.38\u00a0us.');
  assert.equal(withUnits('1.98 GHz and 989 TFLOP/s (8 B)'), '1.98\u00a0GHz and 989\u00a0TFLOP/s (8\u00a0B)');
});

test('other words behind a number stay words', () => {
  for (const text of ['12 SMs', 'line 12 sums', 'R 4 Bytes', '3 %x', 'of 5 GB/sec', 'a % b']) {
    assert.equal(withUnits(text), text);
  }
});
