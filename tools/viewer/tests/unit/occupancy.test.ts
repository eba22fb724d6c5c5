// SPDX-License-Identifier: MIT
// Curves of occupancy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '../../src/model/occupancy';

test('a curve falls in steps, at the value from which on the next unit is allocated', () => {
  const steps = stepsOf({ name: 'registers a thread', at: 40, x: [32, 40, 48, 56], warps: [64, 48, 48, 36] });
  assert.deepEqual(steps, [
    [32, 64],
    [32, 48],
    [40, 48],
    [48, 48],
    [48, 36],
    [56, 36],
  ]);
  for (let i = 1; i < steps.length; ++i) {
    assert.ok(steps[i][0] === steps[i - 1][0] || steps[i][1] === steps[i - 1][1], 'no segment is slanted');
  }
});
