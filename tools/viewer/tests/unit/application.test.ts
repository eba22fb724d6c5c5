// SPDX-License-Identifier: MIT
// An application's page: what is read of it, and what of its timeline is in sight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '../../src/data/application';
import { readPage } from '../../src/data/check';
import { activityAt, barsOf, firstFrom, peaks, valueAt } from '../../src/model/lanes';
import { applicationPage } from '../data/application';
import type { Json } from '../data/page';

function read(change: (app: Json) => void = () => {}): Application {
  const page = applicationPage();
  change(page.app as Json);
  const { app } = readPage(page);
  assert.ok(app !== null);
  return app;
}

test('activities stand by lane, in the order of their begins', () => {
  const { lanes, activities } = read();
  assert.deepEqual(
    lanes.map((lane) => lane.to - lane.from),
    [10, 2, 10, 1, 20, 10],
  );
  for (const lane of lanes) {
    for (let i = lane.from + 1; i < lane.to; ++i) {
      assert.ok(activities.begin[i - 1] <= activities.begin[i]);
    }
  }
});

test('activities of no lane, kind or name, and those that end before they begin, are left out', () => {
  const { lanes, activities } = read((app) => {
    const of = app.activities as Record<string, unknown[]>;
    of.lane[0] = 99;
    of.kind[1] = -1;
    of.name[2] = 'x';
    of.end_ns[4] = -5;
    of.lane[5] = null;
  });
  assert.equal(activities.begin.length, 53 - 5);
  assert.equal(
    lanes.reduce((sum, lane) => sum + lane.to - lane.from, 0),
    53 - 5,
  );
});

test('a page of an application without anything is read, too', () => {
  const { app } = readPage({ schema: 'gpusim.page/1', kind: 'app', app: 7 });
  assert.equal(app?.lanes.length, 0);
  assert.equal(app?.spanNs, 1);
});

test('the activity at a time is the one that runs then', () => {
  const { lanes, activities } = read();
  const [lane] = lanes;
  assert.equal(activityAt(activities, lane, 4999), -1);
  assert.equal(activityAt(activities, lane, 5000), lane.from);
  assert.equal(activityAt(activities, lane, 11_999), lane.from);
  assert.equal(activityAt(activities, lane, 12_000), -1);
  assert.equal(firstFrom(activities, lane, 5001), lane.from + 1);
  assert.equal(firstFrom(activities, lane, 1e9), lane.to);
});

test('bars that are too narrow become one of the kind that takes most of it, and stay on the critical path', () => {
  const { lanes, activities, kinds } = read();
  const lane = lanes.find(({ name }) => name === 'rank0');
  assert.ok(lane !== undefined);
  const near = barsOf(activities, lane, 0, 140_000, 100, kinds.length);
  assert.equal(near.length, 20);
  const far = barsOf(activities, lane, 0, 140_000, 50_000, kinds.length);
  assert.equal(far.length, 2);
  assert.deepEqual([far[0].activity, far[0].critical], [-1, true]);
  const part = barsOf(activities, lane, 11_000, 12_500, 1, kinds.length);
  assert.deepEqual(
    part.map(({ begin, end }) => [begin, end]),
    [
      [11_000, 12_000],
      [12_000, 12_500],
    ],
  );
});

test('values hold until the next step, and a part of the picture shows its highest', () => {
  const of = { at: Float64Array.of(10, 20, 21), values: Float64Array.of(1, 5, 2) };
  assert.deepEqual([valueAt(of, 9), valueAt(of, 10), valueAt(of, 20.5), valueAt(of, 99)], [0, 1, 5, 2]);
  assert.deepEqual([...peaks(of, 0, 40, 4)], [0, 1, 5, 2]);
});
