// SPDX-License-Identifier: MIT
// Commands of handouts, and messages that name places.
import assert from 'node:assert/strict';
import test from 'node:test';
import { commandsIn, runOf, runsOf } from '../../src/lab/commands';
import { readReport, readState } from '../../src/lab/data';
import { placesIn } from '../../src/lab/messages';

test('a command of a handout is what the page runs', () => {
  assert.deepEqual(
    runOf('gpusim --arch t4 --set sm.count=4 --trace a.trace --param n=1 --param m=2 --cache cold --json x.json'),
    {
      trace: 'a.trace',
      arch: 't4',
      params: ['n=1', 'm=2'],
      set: ['sm.count=4'],
      cache: 'cold',
      begin: 0,
      end: 4000,
    },
  );
  const watched = runOf('gpusim --arch t4 --trace a.trace --watch warp=0,cycles=400..700');
  assert.deepEqual([watched?.begin, watched?.end, watched?.cache], [400, 701, 'warm']);
});

test('commands that do something else have no button', () => {
  for (const command of [
    'gpusim compare a.json b.json',
    'gpusim lab check',
    'gpusim --arch t4 --trace a.trace --why warp=0,cycle=1',
    'gpusim --arch t4',
    'gpusim --arch t4 --trace',
    'ls --arch t4 --trace a.trace',
    'gpusim constructor t4',
  ]) {
    assert.equal(runOf(command), null, command);
  }
});

test('a small sweep is a run for each of its points', () => {
  const points = runsOf('gpusim sweep --arch t4 --trace a.trace --param n=1 --vary param.m=2,3 --vary sm.count=4,8');
  assert.deepEqual(
    points.map(({ run, words }) => [words, run.params, run.set]),
    [
      ['m=2 sm.count=4', ['n=1', 'm=2'], ['sm.count=4']],
      ['m=2 sm.count=8', ['n=1', 'm=2'], ['sm.count=8']],
      ['m=3 sm.count=4', ['n=1', 'm=3'], ['sm.count=4']],
      ['m=3 sm.count=8', ['n=1', 'm=3'], ['sm.count=8']],
    ],
  );
  assert.deepEqual(
    runsOf('gpusim --arch t4 --trace a.trace').map(({ words }) => words),
    [''],
  );
  for (const command of [
    'gpusim sweep study.yaml',
    'gpusim sweep show --html FILE',
    'gpusim sweep --arch t4 --trace a.trace',
    'gpusim sweep --arch t4 --trace a.trace --vary param.m=1..9+1',
    'gpusim sweep --arch t4 --trace a.trace --vary param.m=1,2,3,4,5,6,7,8,9',
    'gpusim --arch t4 --trace a.trace --vary param.m=1,2',
  ]) {
    assert.deepEqual(runsOf(command), [], command);
  }
});

test('commands go on behind a backslash and end before a comment', () => {
  assert.deepEqual(commandsIn('gpusim --arch t4 \\\n  --trace a.trace  # twice\nelse\n  gpusim lab check\n'), [
    'gpusim --arch t4    --trace a.trace',
    'gpusim lab check',
  ]);
});

test('a message leads to places in files of the work alone', () => {
  assert.deepEqual(placesIn('a.trace:3:7: no. See b.trace:1 and c:2', ['a.trace', 'b.trace']), [
    { file: 'a.trace', line: 3, column: 7 },
    ': no. See ',
    { file: 'b.trace', line: 1, column: 1 },
    ' and c:2',
  ]);
  assert.deepEqual(placesIn('', ['a']), []);
});

test('what a server says may lack anything', () => {
  assert.deepEqual(readState({ files: [null], runs: 3 }).runs, []);
  assert.equal(readState({ files: [{ name: 'a' }] }).files[0].text, '');
  assert.deepEqual(readReport(null), { passed: false, points: 0, ofPoints: 0, problems: [], notes: [], tasks: [] });
});
