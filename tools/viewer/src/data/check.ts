// SPDX-License-Identifier: MIT
// From JSON to a Page: the schema is checked, then every part is read into the shape that the views use.
import { readApplication } from './application';
import { readComparison } from './comparison';
import { kSchema, PageProblem } from './decode';
import { readKernel } from './kernel';
import { arr, num, numOrNull, obj, str, strs } from './read';
import { readStates } from './states';
import type { Guess, KernelName, Machine, Page, Raw, Run, SweepFinding, SweepRow, SweepTable } from './types';
import { readWatch } from './watch';

function readMachine(raw: Raw): Machine {
  return {
    sms: num(raw.sms, 1),
    subCores: num(raw.sub_cores_per_sm, 4),
    dramBytesPerSecond: num(raw.dram_bytes_per_second),
    l2BytesPerCycle: num(raw.l2_bytes_per_cycle),
  };
}

function readGuess(value: unknown): Guess {
  const raw = obj(value);
  return { key: str(raw.key), value: str(raw.value), kind: str(raw.kind), source: str(raw.source) };
}

function readName(value: unknown): KernelName {
  const raw = obj(value);
  return {
    name: str(raw.name),
    instances: num(raw.instances),
    timePct: num(raw.time_pct),
    totalUs: num(raw.total_us),
    averageUs: num(raw.average_us),
    medianUs: num(raw.median_us),
    leastUs: num(raw.least_us),
    mostUs: num(raw.most_us),
    deviationUs: num(raw.deviation_us),
  };
}

function readRun(raw: Raw, name: string): Run {
  const result = obj(raw.result);
  const view = obj(raw.view);
  const states = readStates(view.states);
  const views = arr(view.kernels);
  const arch = obj(result.arch);
  const trace = obj(result.trace);
  return {
    name,
    version: str(result.version),
    arch: str(arch.name, str(arch.path, 'unknown GPU')),
    trace: str(trace.path),
    title: str(trace.title),
    complete: result.complete !== false,
    cacheState: str(result.cache_state),
    clockMhz: num(result.clock_mhz),
    machine: readMachine(obj(result.machine)),
    parameters: Object.entries(obj(result.parameters)).map(([key, value]) => [key, str(value)]),
    warnings: strs(result.warnings),
    guesses: arr(result.guesses).map(readGuess),
    states,
    kernels: arr(result.kernels).map((kernel, index) => readKernel(obj(kernel), obj(views[index]), index)),
    names: arr(view.kernel_names).map(readName),
    watch: readWatch(raw.watch, states),
  };
}

function readRows(value: unknown, width: number): SweepRow[] {
  return arr(value).map((row) => {
    const cells = arr(row);
    return Array.from({ length: width }, (_, i) => numOrNull(cells[i]) ?? (str(cells[i]) || null));
  });
}

function readFinding(value: unknown): SweepFinding {
  const raw = obj(value);
  const columns = strs(raw.columns);
  const rows = readRows(raw.rows, columns.length);
  const align = str(raw.align);
  return {
    title: str(raw.title),
    remark: str(raw.remark),
    before: strs(raw.before),
    after: strs(raw.after),
    columns,
    right: columns.map((_, i) => (align === '' ? rows.every((row) => typeof row[i] !== 'string') : align[i] === 'r')),
    rows,
    folded: raw.folded === true,
    curve: raw.curve === true,
  };
}

function readSweep(value: unknown): SweepTable {
  const raw = obj(value);
  const columns = strs(raw.columns);
  const rows = readRows(raw.rows, columns.length);
  const known = (names: unknown) => strs(names).filter((name) => columns.includes(name));
  return {
    title: str(raw.title, 'Sweep'),
    note: str(raw.note),
    warnings: strs(raw.warnings),
    columns,
    rows,
    axes: known(raw.axes),
    metrics: known(raw.metrics),
    middles: arr(raw.middles).filter(
      (row): row is number => Number.isInteger(row) && rows[row as number] !== undefined,
    ),
    findings: arr(raw.tables).map(readFinding),
  };
}

function checkSchema(raw: Raw): void {
  const schema = str(raw.schema);
  if (schema === '') {
    throw new PageProblem('The data of this page is no result of gpusim.', 'Write the page again with gpusim.');
  }
  if (schema !== kSchema) {
    throw new PageProblem(
      `This page holds data of the schema "${schema.slice(0, 80)}"; this viewer reads "${kSchema}".`,
      'The viewer and the data are of different versions. Write the page again with one version of gpusim.',
    );
  }
}

/** Throws PageProblem when the data is of another schema or holds nothing that can be shown. */
export function readPage(value: unknown): Page {
  const raw = obj(value);
  checkSchema(raw);
  const version = str(raw.version);
  const empty = { version, runs: [], comparison: null, sweep: null, app: null };
  if (raw.kind === 'sweep') {
    return { ...empty, kind: 'sweep', sweep: readSweep(raw.sweep) };
  }
  if (raw.kind === 'app') {
    return { ...empty, kind: 'app', app: readApplication(raw.app) };
  }
  if (raw.kind === 'compare') {
    const runs = arr(raw.runs).map((item, i) => {
      const run = obj(item);
      return readRun(run, str(run.name, String.fromCharCode(65 + i)));
    });
    if (runs.length >= 2) {
      return { ...empty, kind: 'compare', runs, comparison: readComparison(raw.compare) };
    }
    throw new PageProblem('This page compares runs but holds fewer than two.', 'Write the page again with gpusim.');
  }
  if (raw.kind !== undefined && raw.kind !== 'run') {
    throw new PageProblem(
      `This viewer does not know pages of the kind "${str(raw.kind).slice(0, 80)}".`,
      'The viewer is older than the data. Write the page again with one version of gpusim.',
    );
  }
  return { ...empty, kind: 'run', runs: [readRun(raw, 'A')] };
}
