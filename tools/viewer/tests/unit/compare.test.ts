// SPDX-License-Identifier: MIT
// Comparisons and sweeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import { change, lineChanges, metricsOf, pairs, stateChanges } from '../../src/model/compare';
import { bytes, plain, scaled, signed, time } from '../../src/model/format';
import { metricsOf as sweepMetrics, nameOf, plotOf } from '../../src/model/sweep';
import { comparePage, sweepPage } from '../data/page';

const { runs } = readPage(comparePage());
const [pair] = pairs(runs[0], runs[1]);

test('kernels pair by name, or by place where no name is shared', () => {
  assert.deepEqual(
    pairs(runs[0], { ...runs[1], kernels: [...runs[1].kernels].reverse() }).map((item) => [item.a.index, item.b.index]),
    [
      [0, 0],
      [1, 1],
    ],
  );
  const renamed = { ...runs[1], kernels: runs[1].kernels.map((kernel) => ({ ...kernel, name: `${kernel.name}2` })) };
  assert.equal(pairs(runs[0], renamed).length, 2);
});

test('a change is in percent of A, and unknown from zero', () => {
  assert.equal(change(100, 82), -18);
  assert.equal(change(0, 5), null);
  assert.equal(change(null, 5), null);
});

test('metrics tell what is better', () => {
  const duration = metricsOf(pair).find((row) => row.name === 'Duration');
  assert.equal(duration?.better, 'less');
  assert.ok((duration?.change ?? 0) < 0);
  assert.equal(metricsOf(pair).find((row) => row.name === 'L1 hit rate')?.a, 61.4);
});

test('states and lines come with the largest difference first', () => {
  for (const rows of [stateChanges(runs[0].states, pair), lineChanges(pair)]) {
    const sizes = rows.map((row) => Math.abs(row.b - row.a));
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
  }
});

test('a sweep has a line for each setting of the other axes', () => {
  const { sweep } = readPage(sweepPage());
  assert.ok(sweep);
  const plot = plotOf(sweep, 'sm.count', 'time_us');
  assert.deepEqual(
    plot.lines.map((line) => line.name),
    ['l2.size 25 MiB', 'l2.size 50 MiB', 'l2.size 100 MiB'],
  );
  assert.deepEqual(
    plot.lines[0].points.map((point) => point.x),
    [33, 66, 99, 132, 160],
  );
  assert.deepEqual(plotOf(sweep, 'l2.size', 'tflops').places, ['25 MiB', '50 MiB', '100 MiB']);
  assert.deepEqual(sweepMetrics(sweep), ['time_us', 'tflops']);
});

test('across a column that was not varied, a sweep has single points that say what they are', () => {
  const { sweep } = readPage(sweepPage());
  assert.ok(sweep);
  const plot = plotOf(sweep, 'tflops', 'time_us');
  assert.equal(plot.scattered, true);
  assert.equal(plot.lines.length, 1);
  assert.equal(plot.lines[0].points.length, sweep.rows.length);
  assert.equal(nameOf(sweep, plot.lines[0].points[0].row).startsWith('sm.count '), true);
  assert.equal(plotOf(sweep, 'sm.count', 'time_us').scattered, false);
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
