// SPDX-License-Identifier: MIT
// What a sweep plots: lines of settings, curves through the middle point, relative values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import type { SweepTable } from '../../src/data/types';
import { placedNames } from '../../src/model/point_names';
import { axisOf, firstAxis, isCrowded, metricsOf, middleTexts, nameOf, plotOf, valuesOf } from '../../src/model/sweep';
import { sweepPage } from '../data/sweep';

function sweepOf(change: Partial<SweepTable> = {}): SweepTable {
  const { sweep } = readPage(sweepPage());
  assert.ok(sweep);
  return { ...sweep, ...change };
}

test('a sweep has a line for each setting of the other axes', () => {
  const sweep = sweepOf();
  const plot = plotOf(sweep, { axis: 'sm.count', metric: 'time_us' });
  assert.deepEqual(
    plot.lines.map((line) => line.name),
    ['l2.size 25 MiB', 'l2.size 50 MiB', 'l2.size 100 MiB'],
  );
  assert.deepEqual(
    plot.lines[0].points.map((point) => point.x),
    [33, 66, 99, 132, 160],
  );
  assert.deepEqual(plotOf(sweep, { axis: 'l2.size', metric: 'tflops' }).places, ['25 MiB', '50 MiB', '100 MiB']);
  assert.deepEqual(metricsOf(sweep), ['time_us', 'tflops']);
});

test('across a column that was not varied, a sweep has single points that say what they are', () => {
  const sweep = sweepOf();
  const plot = plotOf(sweep, { axis: 'tflops', metric: 'time_us', middle: true, relative: true });
  assert.equal(plot.scattered, true);
  assert.equal(plot.lines.length, 1);
  assert.equal(plot.lines[0].points.length, sweep.rows.length);
  assert.equal(plot.lines[0].points[0].y, plot.lines[0].points[0].value);
  assert.equal(nameOf(sweep, plot.lines[0].points[0].row).startsWith('sm.count '), true);
  assert.equal(plotOf(sweep, { axis: 'sm.count', metric: 'time_us' }).scattered, false);
});

test('the name beside a point has the values of its axes in their order', () => {
  const sweep = sweepOf();
  assert.equal(valuesOf(sweep, 0), sweep.rows[0].slice(0, 2).join(' / '));
});

test('names stand beside their points, and none lies on another one, on a point or beyond the edge', () => {
  const sides = (points: [number, number][]) =>
    placedNames(
      points.map(([x, y]) => ({ x, y, name: '8 / 4 / 256 KiB' })),
      0,
      500,
    ).map(({ x, y, side }) => [x, y, side]);
  assert.deepEqual(
    sides([
      [50, 100],
      [480, 100],
    ]),
    [
      [50, 100, 'right'],
      [480, 100, 'left'],
    ],
  );
  assert.deepEqual(
    sides([
      [50, 100],
      [50, 115],
    ]),
    [
      [50, 100, 'right'],
      [50, 115, 'right'],
    ],
  );
  assert.deepEqual(
    sides([
      [250, 100],
      [250, 110],
    ]),
    [
      [250, 100, 'right'],
      [250, 110, 'left'],
    ],
  );
  assert.deepEqual(
    sides([
      [250, 100],
      [300, 100],
    ]),
    [
      [250, 100, 'left'],
      [300, 100, 'right'],
    ],
  );
  assert.deepEqual(
    sides([
      [50, 100],
      [50, 102],
    ]),
    [[50, 100, 'right']],
  );
});

test('through the middle point goes one curve, and a sentence says where the other keys are', () => {
  const sweep = sweepOf();
  const [line, ...more] = plotOf(sweep, { axis: 'sm.count', metric: 'time_us', middle: true }).lines;
  assert.equal(more.length, 0);
  assert.equal(line.name, '');
  assert.equal(line.points.length, 5);
  assert.ok(line.points.every((point) => sweep.rows[point.row][1] === '50 MiB'));
  assert.deepEqual(middleTexts(sweep, 'sm.count'), ['The other keys are as in l2.size 50 MiB.']);
  assert.deepEqual(middleTexts(sweepOf({ axes: ['sm.count'] }), 'sm.count'), []);
});

test('each trace and GPU has its own middle point', () => {
  const sweep = sweepOf({
    columns: ['arch', 'sm.count', 'l2', 'time_us'],
    axes: ['arch', 'sm.count', 'l2'],
    rows: [
      ['h100', 10, 1, 8],
      ['h100', 20, 1, 4],
      ['h100', 10, 2, 7],
      ['a100', 10, 3, 9],
      ['a100', 20, 3, 6],
      ['a100', 20, 4, 5],
    ],
    middles: [0, 4],
  });
  const plot = plotOf(sweep, { axis: 'sm.count', metric: 'time_us', middle: true, relative: true });
  assert.deepEqual(
    plot.lines.map((line) => [line.name, line.points.map((point) => point.y)]),
    [
      ['arch h100', [1, 0.5]],
      ['arch a100', [1, 6 / 9]],
    ],
  );
  assert.deepEqual(middleTexts(sweep, 'sm.count'), [
    'arch h100: the other keys are as in l2 1.',
    'arch a100: the other keys are as in l2 3.',
  ]);
  assert.equal(middleTexts(sweep, 'arch')[1], 'arch a100: the other keys are as in sm.count 20, l2 3.');
  assert.equal(firstAxis(sweep), 'sm.count');
});

test('a plot of single points shows only those beside the middle one', () => {
  const sweep = sweepOf();
  assert.equal(isCrowded(sweep, 'sm.count', 'time_us'), false);
  const alone = sweepOf({
    columns: ['a', 'b', 'time_us'],
    axes: ['a', 'b'],
    rows: [
      [1, 1, 5],
      [2, 1, 4],
      [1, 2, 3],
    ],
    middles: [0],
  });
  assert.equal(isCrowded(alone, 'a', 'time_us'), true);
  assert.equal(isCrowded({ ...alone, middles: [] }, 'a', 'time_us'), false);
});

test('a key is found among the axes, whose names have units', () => {
  const sweep = sweepOf({ axes: ['l2.bytes [MiB]', 'l2.bytes_a_slice', 'sm.count'] });
  assert.equal(axisOf(sweep, 'l2.bytes'), 'l2.bytes [MiB]');
  assert.equal(axisOf(sweep, 'sm.count'), 'sm.count');
  assert.equal(axisOf(sweep, 'l2'), undefined);
});
