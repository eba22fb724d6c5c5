// SPDX-License-Identifier: MIT
// Rows of the source view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/data/check';
import {
  byInstruction,
  byLine,
  conflicts,
  instructionAt,
  joined,
  producerOf,
  sectorsARequest,
  select,
  waitersOf,
} from '../../src/model/source';
import { runPage } from '../data/page';

const code = readPage(runPage()).runs[0].kernels[0].code();
const rows = byInstruction(code);

test('instructions stand in the order of the code, whatever the order of the data', () => {
  assert.deepEqual(
    rows.map((row) => row.index),
    rows.map((_, i) => i),
  );
  assert.equal(instructionAt(code, 17)?.opcode, 'MUFU.RCP');
  assert.equal(instructionAt(code, 99), null);
});

test('a line has the sums of its instructions, states included', () => {
  const line = byLine(code).find((row) => row.line === 23);
  const parts = rows.filter((row) => row.line === 23);
  assert.equal(line?.count, 2);
  assert.equal(line?.cycles, parts[0].cycles + parts[1].cycles);
  assert.equal(line?.stalls.selected, parts[0].stalls.selected + parts[1].stalls.selected);
  assert.equal(rows[10].stalls.selected, parts[0].stalls.selected, 'the instruction itself keeps its own');
});

test('sectors a request and conflicts are blank where there is no access', () => {
  assert.equal(sectorsARequest(rows[4]), 32);
  assert.equal(sectorsARequest(rows[0]), null);
  assert.equal(conflicts(rows[8]), 3 * rows[8].idealWavefronts);
  assert.equal(conflicts(rows[10]), null);
});

test('words filter by text, numbers by line or index, a state by its cycles', () => {
  const order = { key: 'index', descending: false };
  assert.deepEqual(
    select(rows, { text: 'hmma r44', state: '' }, order).map((row) => row.index),
    [13],
  );
  assert.deepEqual(
    select(rows, { text: '23', state: '' }, order).map((row) => row.index),
    [10, 11, 23],
  );
  assert.ok(select(rows, { text: '', state: 'math_pipe_throttle' }, order).every((row) => row.text.includes('HMMA')));
});

test('sorting by a state puts the most cycles first', () => {
  const sorted = select(rows, { text: '', state: '' }, { key: 'long_scoreboard', descending: true });
  assert.equal(sorted[0].index, 5);
});

test('producers and waiters are the two ends of the same waits', () => {
  const waiters = waitersOf(code);
  assert.ok(waiters.get(3)?.some((waiter) => waiter.index === 5 && waiter.cycles > 0));
});

test('a line waits for what its instructions wait for, each line once, most cycles first', () => {
  const line = byLine(code).find((row) => row.line === rows[5].line);
  assert.equal(producerOf(line ?? rows[0])?.line, rows[3].line);
  const wait = (line: number, index: number, cycles: number) => ({ line, index, cycles, state: 'wait' });
  assert.deepEqual(joined([wait(7, 1, 10), wait(8, 2, 15), wait(7, 3, 20)]), [wait(7, 3, 30), wait(8, 2, 15)]);
});

test('the producer of a state is one of that state, of a line another line where there is one', () => {
  const from = (index: number, line: number, state: string) => ({ index, line, state, opcode: '', cycles: 1 });
  const row = {
    ...rows[0],
    line: 9,
    count: 2,
    producers: [from(1, 9, 'wait'), from(2, 8, 'wait'), from(3, 7, 'gmma')],
  };
  assert.equal(producerOf(row)?.index, 2);
  assert.equal(producerOf(row, 'gmma')?.index, 3);
  assert.equal(producerOf(row, 'drain'), null);
  assert.equal(producerOf({ ...row, count: 1 })?.index, 1);
});
