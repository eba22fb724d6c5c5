// SPDX-License-Identifier: MIT
// Pictures of handouts: what their tables say, and what a reader is told at each step.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as hierarchy from '../../src/lab/pictures/hierarchy_model';
import * as race from '../../src/lab/pictures/race_model';
import { readTable } from '../../src/lab/pictures/table';

const launchTable = 'CTA  SM  begins  ends\n  0   0       0   900\n  1   2       0   901\n  2   0   1,000  1,905\n';
const launch = hierarchy.launchOf(
  readTable('hierarchy threads=80 subcores=4', launchTable, hierarchy.kHierarchyColumns),
);

const raceTable = `CTAs  threads  chains  GPU  core
   1        1       1   6.0   2.0
   1     1024   1,024  22.0  32.0
  41     1024  41,984  44.0  1,312.0  one CTA waits
not a row
   1     1024`;
const chains = race.raceOf(readTable('race sms=40 atonce=64', raceTable, race.kRaceColumns));

test('a table is its lines of numbers, and its settings are what has a number', () => {
  const table = readTable('race sms=40 atonce=64 x=y Sms=3 ghz=4.5', raceTable, race.kRaceColumns);
  assert.equal(table.kind, 'race');
  assert.deepEqual(
    [...table.settings],
    [
      ['sms', 40],
      ['atonce', 64],
      ['ghz', 4.5],
    ],
  );
  assert.deepEqual(table.rows, [
    [1, 1, 1, 6, 2],
    [1, 1024, 1024, 22, 32],
    [41, 1024, 41984, 44, 1312],
  ]);
  assert.deepEqual(readTable('race', '. . . . .\n', race.kRaceColumns).rows, []);
});

test('the last warp of a CTA has the threads that are left, and 32 lanes', () => {
  assert.equal(hierarchy.warpsOf(launch), 3);
  assert.deepEqual(
    hierarchy
      .lanesOf(launch, 2)
      .map((has) => (has ? '+' : '-'))
      .join(''),
    '+'.repeat(16) + '-'.repeat(16),
  );
});

test('each level says what it is, and where the simulation placed it', () => {
  const words = (cta: number | null, warp: number | null, lane: number | null) =>
    hierarchy.describe(launch, { cta, warp, lane });
  assert.equal(words(null, null, null), 'The grid has 3 CTAs of 80 threads: 240 threads in 9 warps.');
  assert.match(words(2, null, null), /^CTA 2 ran on SM 0 from its begin in cycle 1,000 to its end in cycle 1,905\./);
  assert.match(words(1, 0, null), /sub-core 0 .* threads 0 to 31 of the CTA\.$/);
  assert.match(words(1, 2, null), /threads 64 to 79 of the CTA\. 16 lanes had no thread/);
  assert.match(words(1, 2, 15), /thread 2 \* 32 \+ 15 = 79 of CTA 1, and wrote element 1 \* 80 \+ 79 = 159\.$/);
  assert.match(words(1, 2, 16), /^Lane 16 of warp 2 had no thread\./);
});

test('one chain ends on the core first, many on the GPU', () => {
  const [one, , many] = chains.launches;
  assert.deepEqual([race.standingAt(chains, one, 2).coreDone, race.standingAt(chains, one, 2).gpuDone], [1, 0]);
  assert.equal(race.standingAt(chains, many, 44).gpuDone, 41984);
  assert.equal(race.standingAt(chains, many, 44).coreDone, Math.floor((44 / 1312) * 656) * 64);
});

test('a CTA more than SMs keeps one SM busy, and the others wait', () => {
  const at = race.standingAt(chains, chains.launches[2], 22);
  assert.deepEqual([at.sms[0], at.sms[1], at.sms[39]], [0.5, 1, 1]);
  assert.equal(at.gpuDone, 40 * 1024);
  assert.equal(race.standingAt(chains, chains.launches[0], 1).sms[1], null);
});

test('the loser is watched for four times as long as the winner took, and its end is told', () => {
  const [one, , many] = chains.launches;
  assert.deepEqual([race.endOf(one), race.endOf(many)], [6, 176]);
  assert.match(
    race.describe(chains, many, 176),
    /the GPU all 41,984, after 44 us\. The slower one ends after 1,312 us\.$/,
  );
  assert.match(race.describe(chains, one, 6), /the core has done all 1, after 2 us; the GPU all 1, after 6 us\.$/);
});
