// SPDX-License-Identifier: MIT
// Which kernels of a run a page opens at and offers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import { listed, longestAt } from '../../src/model/kernels';
import { runPage } from '../data/page';

const [kernel] = readPage(runPage()).runs[0].kernels;
const kernels = [3, 9, 1, 9, 5].map((timeUs) => ({ ...kernel, timeUs }));

test('a page opens at the kernel that took most time, of equal ones at the first', () => {
  assert.equal(longestAt(kernels), 1);
  assert.equal(longestAt([]), 0);
});

test('of very many kernels the longest ones are offered, in order, and the one that is shown', () => {
  assert.deepEqual(listed(kernels, 0), [0, 1, 2, 3, 4]);
  assert.deepEqual(listed(kernels, 2, 3), [1, 2, 3, 4]);
  assert.deepEqual(listed(kernels, 3, 2), [1, 3]);
});
