// SPDX-License-Identifier: MIT
// The tables of a comparison: totals, what changed and why, warp states, kernels.
import type { Change, Comparison, ComparedRun, KernelChange, LoneKernel, Outcome } from '../data/comparison';
import { unknownState } from '../data/states';
import type { Run } from '../data/types';
import {
  amount,
  bothOf,
  changeText,
  partOf,
  runAt,
  signedWhole,
  size,
  stateChanges,
  type StateChange,
} from '../model/compare';
import { pct, plural, time, whole } from '../model/format';
import { clipped, h, note, panel } from '../ui/dom';
import { stateColour } from '../ui/palette';
import { table, type Column } from '../ui/table';
import type { Context } from '../ui/view';

const kMostMetrics = 400;

export function totals(context: Context, comparison: Comparison): HTMLElement {
  const [first] = comparison.runs;
  const { runs } = context.page;
  return panel(
    'Totals',
    note('All kernels of a result, one after the other. Launching them takes time of its own.'),
    table<ComparedRun>(
      [
        { label: 'Run', value: (run) => run.name, show: (run) => h('strong', {}, run.name) },
        {
          label: 'Result',
          value: (run) => run.source,
          show: (run) =>
            h(
              'span',
              { class: 'of-run' },
              clipped(run.source),
              partOf(runs[runAt(comparison, run.name)]) === '' ? null : h('strong', { class: 'partial' }, 'partial'),
            ),
        },
        { label: 'GPU', value: (run) => run.arch, show: (run) => clipped(run.arch) },
        { label: 'Kernels', value: (run) => run.launches, show: (run) => whole(run.launches), numeric: true },
        {
          label: 'Time',
          value: (run) => run.timeUs,
          show: (run) => (run.timeUs === null ? 'n/a' : time(run.timeUs)),
          numeric: true,
        },
        {
          label: 'Against A',
          value: (run) => run.timeUs,
          show: (run) => (run === first ? '' : changeText(first.timeUs, run.timeUs)),
          numeric: true,
        },
        {
          label: 'Launching',
          value: (run) => run.launchUs,
          show: (run) => (run.launchUs === null ? 'n/a' : time(run.launchUs)),
          numeric: true,
        },
        { label: 'DRAM', value: (run) => run.dramBytes, show: (run) => amount(run.dramBytes, 'bytes'), numeric: true },
        { label: 'Bound', value: (run) => run.bound },
      ],
      comparison.runs,
      { caption: 'Totals', hideCaption: true },
    ),
  );
}

export function outcomes(comparison: Comparison): HTMLElement | null {
  return comparison.outcomes.length === 0
    ? null
    : panel(
        'Conditions',
        note('What --fail-if was given; a condition that holds makes the program end with exit code 5.'),
        table<Outcome>(
          [
            { label: 'Fails if', value: (row) => row.condition, show: (row) => h('code', {}, row.condition) },
            { label: 'Result', value: (row) => row.run },
            { label: 'Value', value: (row) => row.value, show: (row) => amount(row.value, ''), numeric: true },
            { label: 'Limit', value: (row) => row.limit, show: (row) => amount(row.limit, ''), numeric: true },
            {
              label: 'Outcome',
              value: (row) => (row.failed ? 'failed' : 'passed'),
              show: (row) =>
                h('span', { class: row.failed ? 'change-cell worse' : '' }, row.failed ? 'failed' : 'passed'),
            },
          ],
          comparison.outcomes,
          { caption: 'Conditions', hideCaption: true },
        ),
      );
}

/** The columns of both results and of the change between them. */
function pairColumns<Row extends { first: number | null; second: number | null; unit: string }>(
  change: Change,
): Column<Row>[] {
  return [
    { label: change.first, value: (row) => row.first, show: (row) => amount(row.first, row.unit), numeric: true },
    { label: change.second, value: (row) => row.second, show: (row) => amount(row.second, row.unit), numeric: true },
    {
      label: 'Change',
      value: (row) => size(row.first, row.second),
      show: (row) => changeText(row.first, row.second),
      numeric: true,
    },
  ];
}

export function settings(change: Change): HTMLElement | null {
  return change.settings.length === 0
    ? null
    : panel(
        'Set differently',
        table(
          [
            { label: 'What', value: (row) => row.what },
            { label: change.first, value: (row) => row.first, show: (row) => row.first || '-' },
            { label: change.second, value: (row) => row.second, show: (row) => row.second || '-' },
          ],
          change.settings,
          { caption: 'Set differently', hideCaption: true },
        ),
      );
}

/** `sure`: both results are whole, so that a change may be called better or worse. */
export function causes(change: Change, sure: boolean): HTMLElement {
  const speaks = (row: Change['causes'][number]) => (row.speedsUp ? change.second : change.first);
  return panel(
    'What changed',
    change.causes.length === 0
      ? note('No number changed that has to do with time.')
      : note(
          'What is likely to matter most comes first: a number weighs as much as it changed, times how busy its unit ' +
            'is in the slower result. It speaks for the result that it alone would make faster.',
        ),
    change.causes.length > 0 &&
      table<Change['causes'][number]>(
        [
          { label: 'Number', value: (row) => row.what, wide: true },
          ...pairColumns<Change['causes'][number]>(change),
          {
            label: 'Speaks for',
            value: speaks,
            show: (row) =>
              h('span', { class: sure ? `change-cell ${row.speedsUp ? 'better' : 'worse'}` : '' }, speaks(row)),
          },
          {
            label: 'Its unit',
            value: (row) => row.servedPct,
            show: (row) =>
              row.servedBy !== '' && h('span', { class: 'nowrap' }, `${row.servedBy}, ${pct(row.servedPct)} busy`),
          },
        ],
        change.causes,
        { caption: 'What changed', hideCaption: true, sortable: true },
      ),
  );
}

/** A bar to the left of the middle for less, to the right for more. */
export function twoSided(difference: number, most: number, fill: string): HTMLElement {
  const part = most > 0 ? (50 * Math.abs(difference)) / most : 0;
  return h(
    'span',
    { class: 'two-sided', 'aria-hidden': 'true' },
    h('span', { style: { background: fill, width: `${part}%`, left: difference < 0 ? `${50 - part}%` : '50%' } }),
  );
}

export function states(run: Run, change: Change): HTMLElement {
  const sum: StateChange = {
    state: { ...unknownState('sum'), label: 'Sum' },
    cycles: change.warpCycles,
  };
  const rows = [...stateChanges(run.states, change), sum];
  const most = rows.reduce((high, { cycles }) => Math.max(high, Math.abs(cycles.difference)), 0);
  const ofAll = (difference: number) =>
    change.warpCycles.first > 0 ? (100 * difference) / change.warpCycles.first : 0;
  return panel(
    'Warp states',
    note(
      'Warp-cycles in each state, the largest difference first. The states of a result sum to its warp-cycles, so ' +
        'the differences sum to the last row.',
    ),
    table<StateChange>(
      [
        {
          label: 'State',
          value: (row) => row.state.label,
          show: (row) =>
            row === sum
              ? h('strong', {}, 'Sum')
              : h(
                  'span',
                  { class: 'state-name' },
                  h('span', { class: 'swatch', style: { background: stateColour(row.state.key) } }),
                  row.state.label,
                ),
        },
        {
          label: change.first,
          value: (row) => row.cycles.first,
          show: (row) => whole(row.cycles.first),
          numeric: true,
        },
        {
          label: change.second,
          value: (row) => row.cycles.second,
          show: (row) => whole(row.cycles.second),
          numeric: true,
        },
        {
          label: 'Difference',
          value: (row) => row.cycles.difference,
          show: (row) => signedWhole(row.cycles.difference),
          numeric: true,
        },
        {
          label: `% of ${change.first}`,
          value: (row) => row.cycles.difference,
          show: (row) => {
            const part = ofAll(row.cycles.difference);
            return Math.abs(part) < 0.05 ? '-' : `${part > 0 ? '+' : '-'}${Math.abs(part).toFixed(1)}`;
          },
          numeric: true,
        },
        {
          label: 'Less | more',
          value: (row) => row.cycles.difference,
          show: (row) =>
            twoSided(row.cycles.difference, most, row === sum ? 'var(--soft)' : stateColour(row.state.key)),
        },
      ],
      rows,
      { caption: 'Warp states', hideCaption: true },
    ),
  );
}

export function loneTable(kernels: LoneKernel[], name: string): HTMLElement | null {
  return kernels.length === 0
    ? null
    : panel(
        `Only in ${name}`,
        table<LoneKernel>(
          [
            { label: 'Kernel', value: (row) => row.name, show: (row) => clipped(row.name) },
            { label: 'Launches', value: (row) => row.launches, show: (row) => whole(row.launches), numeric: true },
            { label: 'Time', value: (row) => row.timeUs, show: (row) => time(row.timeUs), numeric: true },
            {
              label: `% of ${name}`,
              value: (row) => row.sharePct,
              show: (row) => row.sharePct.toFixed(1),
              numeric: true,
            },
            { label: 'Bound', value: (row) => row.bound },
          ],
          kernels,
          { caption: `Kernels only in ${name}`, hideCaption: true, sortable: true },
        ),
      );
}

export function kernels(change: Change): HTMLElement {
  const both = change.kernels.length > 0 && [
    note('By name; the launches of one name are together.'),
    table<KernelChange>(
      [
        { label: 'Kernel', value: (row) => row.name, show: (row) => clipped(row.name) },
        {
          label: 'Launches',
          value: (row) => row.second.launches,
          show: (row) => bothOf(row.first, row.second, (sum) => whole(sum.launches)),
          numeric: true,
        },
        { label: change.first, value: (row) => row.first.timeUs, show: (row) => time(row.first.timeUs), numeric: true },
        {
          label: change.second,
          value: (row) => row.second.timeUs,
          show: (row) => time(row.second.timeUs),
          numeric: true,
        },
        {
          label: 'Change',
          value: (row) => size(row.first.timeUs, row.second.timeUs),
          show: (row) => changeText(row.first.timeUs, row.second.timeUs),
          numeric: true,
        },
        { label: 'Bound', value: (row) => bothOf(row.first, row.second, (sum) => sum.bound) },
      ],
      change.kernels,
      { caption: 'Kernels in both', hideCaption: true, sortable: true },
    ),
  ];
  return panel(
    'Kernels in both',
    ...(both === false ? [note(`No kernel of ${change.second} has the name of one of ${change.first}.`)] : both),
  );
}

/** Every total that differs, for those who miss one among the causes. */
export function metrics(change: Change): HTMLElement | null {
  if (change.metrics.length === 0) {
    return null;
  }
  return panel(
    'All numbers that differ',
    h(
      'details',
      { class: 'open-in-print' },
      h('summary', {}, plural(change.metrics.length, 'number')),
      table<Change['metrics'][number]>(
        [
          { label: 'Metric', value: (row) => row.key, show: (row) => h('code', {}, row.key) },
          ...pairColumns<Change['metrics'][number]>(change),
        ],
        change.metrics.slice(0, kMostMetrics),
        { caption: 'All numbers that differ', hideCaption: true, sortable: true },
      ),
    ),
  );
}
