// SPDX-License-Identifier: MIT
// Stepping through recorded warps, and the sentences that say why one does not issue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import type { Run, Track, Watch } from '../../src/data/types';
import { before, extent, intervalAt, lanesIn, mix, since, stepIssue, stepState } from '../../src/model/timeline';
import { emptySlot, why } from '../../src/model/why';
import { inOrder, packWatch, type WatchRow } from '../data/pack';
import { result, runPage } from '../data/page';

const run: Run = readPage(runPage({ kernels: 1 })).runs[0];
const watch = run.watch as Watch;
const [kernel] = run.kernels;

function find(state: string, test: (place: number, track: Track) => boolean = () => true): [Track, number] {
  const wanted = run.states.findIndex((item) => item.key === state);
  for (const track of watch.tracks) {
    for (let i = track.from; i < track.to; ++i) {
      if (watch.state[i] === wanted && test(i, track)) {
        return [track, i];
      }
    }
  }
  throw new Error(`no interval in ${state}`);
}

function said(state: string, test?: (place: number, track: Track) => boolean): string {
  const [track, place] = find(state, test);
  return why(run, kernel, watch, track, watch.begin[place])?.sentences.join(' ') ?? '';
}

test('intervals of a slot are in the order of time and do not overlap', () => {
  assert.equal(watch.tracks.length, 20);
  for (const track of watch.tracks) {
    for (let i = track.from + 1; i < track.to; ++i) {
      assert.ok(watch.begin[i] >= watch.end[i - 1]);
    }
  }
});

test('columns unpack to the rows that were recorded', () => {
  const { rows } = result({ kernels: 1 }).watch as { rows: WatchRow[] };
  const track = (i: number) => watch.tracks.find((item) => i >= item.from && i < item.to) as Track;
  const unpacked = Array.from({ length: watch.count }, (_, i) => [
    track(i).kernel,
    track(i).sm,
    track(i).subCore,
    track(i).slot,
    watch.cta[i],
    watch.warp[i],
    watch.begin[i],
    watch.end[i],
    run.states[watch.state[i]].key,
    watch.index[i],
    watch.lanes[i],
    watch.lanesOn[i],
    watch.producer[i] < 0 ? null : watch.producer[i],
  ]);
  assert.deepEqual(unpacked, inOrder(rows));
  assert.ok(rows.some((row) => row[10] !== 0xffffffff) && rows.some((row) => row[12] !== null));
});

test('an instruction may wait for itself, for a later one, or for none', () => {
  const row = (begin: number, producer: number | null): WatchRow => [
    0,
    3,
    1,
    5,
    7e9,
    2,
    begin,
    begin + 4,
    'a new state',
    12,
    0xf0000000,
    0x80000000,
    producer,
  ];
  const page = { ...runPage({ kernels: 1 }), watch: packWatch([row(10, 12), row(20, 30), row(30, null), row(40, 0)]) };
  const [{ watch: read, states }] = readPage(page).runs;
  assert.deepEqual([...(read?.producer ?? [])], [12, 30, -1, 0]);
  assert.deepEqual([read?.cta[3], read?.lanes[0], read?.lanesOn[0]], [7e9, 0xf0000000, 0x80000000]);
  assert.equal(states.at(-1)?.key, 'a new state');
});

test('columns that do not fit together are no recording', () => {
  const page = runPage({ kernels: 1 });
  (page.watch as { columns: { gap: unknown[] } }).columns.gap.pop();
  assert.equal(readPage(page).runs[0].watch, null);
  page.watch = { tracks: [[0, 0, 0, 0, 1e12]], columns: {} };
  assert.equal(readPage(page).runs[0].watch, null);
});

test('a cycle is found in its interval, and none after the last warp', () => {
  const [track] = watch.tracks;
  const place = track.from + 5;
  assert.equal(intervalAt(watch, track, watch.begin[place]), place);
  assert.equal(before(watch, track, -1), -1);
  const [, end] = extent(watch, watch.tracks);
  assert.equal(intervalAt(watch, watch.tracks[1], end - 1), -1);
  assert.match(emptySlot(watch, watch.tracks[1], end - 1), /no warp since cycle .* and gets no other/);
});

test('steps go to the next change and back, and to issues only', () => {
  const [track] = watch.tracks;
  const selected = run.states.findIndex((item) => item.key === 'selected');
  const next = stepState(watch, track, watch.begin[track.from], 1);
  assert.equal(next, watch.begin[track.from + 1]);
  assert.equal(stepState(watch, track, next ?? 0, -1), watch.begin[track.from]);
  assert.equal(stepState(watch, track, watch.begin[track.from], -1), null);
  const issue = stepIssue(watch, track, 0, 1, selected);
  assert.equal(watch.state[intervalAt(watch, track, issue ?? -1)], selected);
  assert.equal(stepIssue(watch, track, 1e9, 1, selected), null);
});

test('the mix of pixels adds up to the cycles in sight', () => {
  const [track] = watch.tracks;
  const { cycles } = mix(watch, track, 100, 500, 37, run.states.length);
  assert.ok(Math.abs(cycles.reduce((a, b) => a + b, 0) - 400) < 0.01);
});

test('lanes of a mask are counted, the highest too', () => {
  assert.equal(lanesIn(0xffffffff), 32);
  assert.equal(lanesIn(0x80000001), 2);
});

test('a wait for memory names the state, the begin, the producer, its line and the register', () => {
  const text = said('long_scoreboard');
  assert.match(text, /waits for a result from L1TEX: global, local \(Long Scoreboard\), since cycle \d+/);
  assert.match(text, /by the result of instruction 3 \(line 14\), LDG\.E\.64 R4/);
  assert.match(text, /In the way is R4-R5, which it writes/);
});

test('a busy pipe and a full queue are named', () => {
  assert.match(
    said('math_pipe_throttle'),
    /In the way: the tensor pipe\. What releases the warp: the pipe, when it takes/,
  );
  assert.match(said('mio_throttle'), /In the way: the MIO queue/);
});

test('at a barrier, the sentence says which warp is late and where', () => {
  assert.match(
    said('barrier'),
    /barrier 0 of CTA \d+: \d of its 4 recorded warps stand at it\. .* is still at instruction/,
  );
});

test('an instruction that issued instead is named with its warp', () => {
  assert.match(said('not_selected'), /another warp's turn\. Meanwhile sub-core \d issued instruction \d+ .* of warp/);
});

test('where nothing issued, the states of the other warps are counted', () => {
  assert.match(
    said(
      'long_scoreboard',
      (place, track) =>
        !watch.tracks.some(
          (other) =>
            other.subCore === track.subCore &&
            run.states[watch.state[intervalAt(watch, other, watch.begin[place])]]?.key === 'selected',
        ),
    ),
    /issued nothing: its 4 other warps cannot issue either \(\d in /,
  );
});

test('a warp that drains has issued its EXIT, and leaves', () => {
  const [track] = watch.tracks;
  const exit = kernel.code().findIndex((item) => item.opcode === 'EXIT');
  const draining = {
    ...watch,
    state: watch.state.slice(),
    index: watch.index.slice(),
    producer: watch.producer.slice(),
  };
  const place = track.to - 1;
  draining.state[place] = run.states.findIndex((state) => state.key === 'drain');
  draining.index[place] = exit;
  draining.producer[place] = -1;
  const text = why(run, kernel, draining, track, watch.begin[place])?.sentences.join(' ') ?? '';
  assert.match(text, /It has issued instruction \d+ \(line 39\), EXIT, its last\./);
  assert.match(text, /It then leaves the SM, at cycle [\d,]+\./);
  assert.doesNotMatch(text, /is to issue|goes on/);
});

test('a diverged warp says how many lanes are on the path', () => {
  assert.match(
    said('selected', (place) => watch.lanes[place] !== 0xffffffff),
    /16 lanes of 32 are on this path/,
  );
});

test('a wait that was recorded in pieces began with the first', () => {
  const [track, place] = find('long_scoreboard');
  const split = { ...watch, begin: watch.begin.slice(), end: watch.end.slice() };
  assert.equal(since(split, track, place), watch.begin[place]);
});

test('an instruction that the code lacks is named by its index', () => {
  const empty = { ...kernel, code: () => [] };
  const [track, place] = find('selected');
  assert.equal(
    why(run, empty, watch, track, watch.begin[place])?.sentences[0],
    `The warp issues instruction ${watch.index[place]}.`,
  );
});
