// SPDX-License-Identifier: MIT
// Recorded intervals as rates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Machine, Series } from '../../src/data/types';
import { groupAt, rates, within } from '../../src/model/series';

const machine: Machine = {
  sms: 2,
  subCores: 4,
  dramBytesPerSecond: 1e9,
  l2BytesPerCycle: 64,
};
const series: Series = {
  interval: 100,
  count: 3,
  ends: Float64Array.of(100, 200, 250),
  states: { selected: [100, 200, 50], wait: [100, 0, 50] },
  counters: {
    l1_sectors: [400, 0, 100],
    l1_wavefronts: [100, 0, 25],
    l1_lookups: [200, 0, 100],
    l1_hits: [50, 0, 100],
    shared_wavefronts: [0, 0, 0],
    l2_lookups: [0, 0, 0],
    l2_hits: [0, 0, 0],
    dram_read_bytes: [50, 60, 0],
    dram_write_bytes: [0, 40, 50],
  },
};

test('IPC is issues a cycle and SM, in the short last interval too', () => {
  const of = rates(series, machine, 1000, 0, 250, 100);
  assert.deepEqual([...of.ipc], [0.5, 1, 0.5]);
  assert.deepEqual([...of.warps], [1, 1, 1]);
  assert.deepEqual([...of.end], [100, 200, 250]);
});

test('throughput is a share of the peak of all units, in the last interval of all its cycles', () => {
  const of = rates(series, machine, 1000, 0, 250, 100);
  assert.deepEqual([...(of.throughput.get('L1') ?? [])], [50, 0, 12.5]);
  assert.deepEqual([...(of.throughput.get('DRAM') ?? [])], [50, 100, 50]);
  assert.equal(of.throughput.has('L2'), false, 'what was not counted has no line');
  assert.equal(of.throughput.has('Shared memory'), false, 'what never moved has no line');
});

test('a hit rate without lookups is no number, and no line where there never were any', () => {
  const { hits } = rates(series, machine, 1000, 0, 250, 100);
  assert.deepEqual([...(hits.get('L1') ?? [])], [25, NaN, 100]);
  assert.equal(hits.has('L2'), false);
});

test('intervals that do not fit are joined by their sums', () => {
  const of = rates(series, machine, 1000, 0, 250, 2);
  assert.deepEqual([...of.end], [200, 250]);
  assert.equal(of.ipc[0], 300 / 400);
});

test('a part in sight has its intervals only', () => {
  assert.deepEqual(within(series, 100, 200), [1, 2]);
  assert.deepEqual(within(series, 150, 240), [1, 3]);
  const of = rates(series, machine, 1000, 150, 240, 10);
  assert.deepEqual([...of.begin], [100, 200]);
  assert.equal(groupAt(of, 205), 1);
});
