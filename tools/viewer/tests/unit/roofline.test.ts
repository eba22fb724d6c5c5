// SPDX-License-Identifier: MIT
// The geometry of the roofline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import {
  attainable,
  classesOf,
  colourPlaces,
  moved,
  pointsOf,
  rangeOf,
  ridge,
  roofOf,
  runsWith,
  silentLevels,
  zoomed,
} from '../../src/model/roofline';
import { runPage } from '../data/page';

const { runs } = readPage(runPage());
const [kernel] = runs[0].kernels;

test('left of the ridge memory is the roof, right of it arithmetic', () => {
  assert.equal(ridge(1000, 10), 100);
  assert.equal(attainable(50, 1000, 10), 500);
  assert.equal(attainable(200, 1000, 10), 1000);
  assert.equal(attainable(200, 1000, 0), 1000);
});

test('a kernel has a point for each level with traffic', () => {
  const points = pointsOf(kernel, 0, 'fp16_tensor');
  assert.deepEqual(
    points.map((point) => point.level),
    ['DRAM', 'L2', 'L1'],
  );
  assert.equal(Math.round(points[0].pctOfRoof), Math.round((100 * 2.1e14) / (160 * 3.35e12)));
  kernel.roofs[1].levels[0].intensity = null;
  assert.equal(pointsOf(kernel, 0, 'fp32').length, 2);
});

test('classes that did most work come first', () => {
  assert.deepEqual(classesOf(runs[0].kernels), ['fp16_tensor', 'fp32']);
});

test('the range shows every point, every ridge and the peak', () => {
  const points = pointsOf(kernel, 0, 'fp16_tensor');
  const roof = roofOf(runs, 'fp16_tensor');
  assert.ok(roof);
  const { x, y } = rangeOf(points, [roof]);
  for (const value of [...points.map((point) => point.intensity), ridge(roof.peak, 3.35e12)]) {
    assert.ok(x[0] < value && value < x[1]);
  }
  assert.ok(y[0] < points[0].flops && roof.peak < y[1]);
  assert.deepEqual(rangeOf([], []).x, [0.01, 100]);
});

test('zooming keeps the centre in its place, moving keeps the width', () => {
  const range = { x: [1, 100] as [number, number], y: [1e9, 1e12] as [number, number] };
  const near = zoomed(range, 0.5, 10, 1e10);
  assert.ok(Math.abs(near.x[0] * near.x[1] - 100) < 1e-6);
  assert.ok(near.y[0] > 1e9 && near.y[1] < 1e12);
  const aside = moved(range, 0.5, 0);
  assert.ok(Math.abs(aside.x[0] - 10) < 1e-9 && Math.abs(aside.x[1] - 1000) < 1e-6);
});

test('runs with a level of one bandwidth share its slope', () => {
  const roof = roofOf(runs, 'fp32');
  assert.ok(roof);
  const slower = { ...roof, levels: roof.levels.map((level) => ({ ...level, bytesPerSecond: 1e12 })) };
  const other = { ...runs[0], kernels: [{ ...runs[0].kernels[0], roofs: [slower] }] };
  const none = { ...runs[0], kernels: [] };
  const [{ bytesPerSecond }] = roof.levels;
  assert.deepEqual(runsWith([runs[0], other, none, runs[0]], 'fp32', bytesPerSecond), { all: 3, shared: [0, 3] });
  assert.deepEqual(runsWith([runs[0], other, none], 'fp32', 1e12), { all: 2, shared: [1] });
});

test('kernels of one name share a colour, the longest names have one of their own', () => {
  const named = (name: string, timeUs: number) => ({ ...kernel, name, timeUs });
  const places = colourPlaces([named('a', 1), named('b', 5), named('a', 1), named('c', 3), named('d', 1)], 3);
  assert.deepEqual(
    [...places],
    [
      ['b', 0],
      ['c', 1],
      ['a', 2],
      ['d', 2],
    ],
  );
});

test('a level is silent only in the kernels without its traffic', () => {
  const [roof] = kernel.roofs;
  const without = (...levels: string[]) => ({
    ...kernel,
    roofs: [
      {
        ...roof,
        levels: roof.levels.map((item) => (levels.includes(item.level) ? { ...item, intensity: null } : item)),
      },
    ],
  });
  assert.deepEqual(silentLevels([without('DRAM'), without('DRAM', 'L1'), { ...kernel, roofs: [] }], roof.class), [
    { level: 'DRAM', silent: 2, all: 2 },
    { level: 'L1', silent: 1, all: 2 },
  ]);
});
