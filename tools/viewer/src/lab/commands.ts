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

/** A command without its first words: what it simulates, and what a sweep varies. */
function readWords(words: string[]): { run: RunRequest; vary: [string, string[]][] } | null {
  const run: RunRequest = { trace: '', arch: '', params: [], set: [], cache: 'warm', begin: 0, end: kCycles };
  const vary: [string, string[]][] = [];
  const options: Record<string, (value: string) => void> = {
    '--arch': (value) => (run.arch = value),
    '--trace': (value) => (run.trace = value),
    '--cache': (value) => (run.cache = value),
    '--param': (value) => run.params.push(value),
    '--set': (value) => run.set.push(value),
    '--watch': (value) => ([run.begin, run.end] = cyclesOf(value)),
    '--vary': (value) => {
      const [key, values] = value.split('=');
      vary.push([key, (values ?? '').split(',')]);
    },
    '--json': () => undefined, // the page keeps no files
  };
  for (let i = 0; i < words.length; i += 2) {
    if (!Object.hasOwn(options, words[i]) || words[i + 1] === undefined) {
      return null;
    }
    options[words[i]](words[i + 1]);
  }
  return run.trace !== '' && run.arch !== '' ? { run, vary } : null;
}

/** What a command simulates; null for commands that do something else. */
export function runOf(command: string): RunRequest | null {
  const [program, ...words] = command.split(/\s+/);
  const read = program === 'gpusim' ? readWords(words) : null;
  return read !== null && read.vary.length === 0 ? read.run : null;
}

/** A run that a page offers, and the words that tell it from others of its command. */
export interface OfferedRun {
  readonly run: RunRequest;
  readonly words: string;
}

const kMostPoints = 8;
const kOfTrace = 'param.';

function withPoint({ run, words }: OfferedRun, key: string, value: string): OfferedRun {
  const isParam = key.startsWith(kOfTrace);
  const word = `${isParam ? key.slice(kOfTrace.length) : key}=${value}`;
  return {
    run: {
      ...run,
      params: isParam ? [...run.params, word] : run.params,
      set: isParam ? run.set : [...run.set, word],
    },
    words: words === '' ? word : `${words} ${word}`,
  };
}

/** The runs of a command: one, or the points of a small sweep over lists of values. */
export function runsOf(command: string): OfferedRun[] {
  const one = runOf(command);
  if (one !== null) {
    return [{ run: one, words: '' }];
  }
  const [program, verb, ...words] = command.split(/\s+/);
  const read = program === 'gpusim' && verb === 'sweep' ? readWords(words) : null;
  const points = (read?.vary ?? []).reduce<OfferedRun[]>(
    (all, [key, values]) => all.flatMap((each) => values.map((value) => withPoint(each, key, value))),
    read === null ? [] : [{ run: read.run, words: '' }],
  );
  const isPlain = points.every(({ words: point }) => /^[\w.]+=[\w.]+( [\w.]+=[\w.]+)*$/.test(point));
  return isPlain && points.length <= kMostPoints ? points : [];
}
