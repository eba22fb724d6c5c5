// SPDX-License-Identifier: MIT
// Registers in the text of instructions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linking, partsOf, ranges, read, written } from '../../src/model/sass';

test('guards, opcodes and operands are told apart', () => {
  assert.deepEqual(partsOf('@!P0 LDG.E R4, [R2.64+0x10]'), {
    guard: 'P0',
    opcode: 'LDG.E',
    operands: ['R4', '[R2.64+0x10]'],
  });
  assert.deepEqual(partsOf(''), { guard: null, opcode: '', operands: [] });
});

test('wide loads write as many registers as they load words', () => {
  assert.deepEqual(written('LDG.E.128 R4, [R2.64]'), ['R4', 'R5', 'R6', 'R7']);
  assert.deepEqual(written('LDSM.16.M88.4 R44, [R8+0]'), ['R44', 'R45', 'R46', 'R47']);
  assert.deepEqual(written('HMMA.16816.F32.BF16 R92, R48, R28, R92'), ['R92', 'R93', 'R94', 'R95']);
});

test('stores, barriers and copies to shared memory write no register', () => {
  for (const text of ['STG.E.128 [R2.64], R4', 'BAR.SYNC 0x0', 'LDGSTS.E.BYPASS.128 [R3], [R4.64]', 'EXIT']) {
    assert.deepEqual(written(text), []);
  }
});

test('reads include guards, addresses and wide data', () => {
  assert.deepEqual(read('@P0 STG.E.64 [R2.64], R4'), ['P0', 'R2', 'R3', 'R4', 'R5']);
  assert.deepEqual(read('HMMA.16816.F32 R40, R12, R10, R40'), [
    'R12',
    'R13',
    'R14',
    'R15',
    'R10',
    'R11',
    'R40',
    'R41',
    'R42',
    'R43',
  ]);
  assert.deepEqual(read('FADD R1, -R2, |R3|'), ['R2', 'R3']);
});

test('the registers between a producer and its consumer are named as ranges', () => {
  assert.equal(ranges(linking('LDS.128 R12, [R26]', 'HMMA.16816.F32 R40, R12, R10, R40')), 'R12-R15');
  assert.equal(ranges(linking('ISETP.GE.AND P0, PT, R0, 0x10, PT', '@P0 BRA 0x140')), 'P0');
  assert.equal(ranges(linking('LDG.E R4, [R2.64]', 'MOV R4, RZ')), 'R4', 'a result that is overwritten');
  assert.equal(ranges(linking('LDGSTS.E [R3], [R4.64]', 'DEPBAR.LE SB0, 0x0')), '');
});
