// SPDX-License-Identifier: MIT
// Commands of a handout that a page can do: "gpusim --arch t4 --trace kernel.trace --param n=1024 --cache cold".
import { kCycles, type RunRequest } from './data';

/** A command with what its backslashes continue, and without its comment. */
export function commandsIn(code: string): string[] {
  return code
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s#.*$/, '').trim())
    .filter((line) => line.startsWith('gpusim '));
}

/** The cycles of --watch: [first, behind the last]. */
function cyclesOf(watch: string): [number, number] {
  const [, first, last] = /cycles=(\d{1,12})\.\.(\d{1,12})/.exec(watch) ?? [];
  return first === undefined ? [0, kCycles] : [Number(first), Number(last) + 1];
}

/** What a command simulates; null for commands that do something else. */
export function runOf(command: string): RunRequest | null {
  const [program, ...words] = command.split(/\s+/);
  if (program !== 'gpusim') {
    return null;
  }
  const run: RunRequest = { trace: '', arch: '', params: [], set: [], cache: 'warm', begin: 0, end: kCycles };
  const options: Record<string, (value: string) => void> = {
    '--arch': (value) => (run.arch = value),
    '--trace': (value) => (run.trace = value),
    '--cache': (value) => (run.cache = value),
    '--param': (value) => run.params.push(value),
    '--set': (value) => run.set.push(value),
    '--watch': (value) => ([run.begin, run.end] = cyclesOf(value)),
    '--json': () => undefined, // the page keeps no files
  };
  for (let i = 0; i < words.length; i += 2) {
    if (!Object.hasOwn(options, words[i]) || words[i + 1] === undefined) {
      return null;
    }
    options[words[i]](words[i + 1]);
  }
  return run.trace !== '' && run.arch !== '' ? run : null;
}
