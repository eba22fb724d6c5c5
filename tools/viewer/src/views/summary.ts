// SPDX-License-Identifier: MIT
// The answer first: what bounds the kernel, what to change, and what to doubt.
import { sum } from '../data/read';
import { withNames } from '../data/states';
import type { Finding, Kernel, Run } from '../data/types';
import { dims, pct, plain, plural, share, short, time, whole } from '../model/format';
import { button, clipped, h, heading, note, panel, type Child } from '../ui/dom';
import { Grid, type GridColumn } from '../ui/grid';
import { stateColour } from '../ui/palette';
import { stateBar, topStates } from '../ui/states';
import { table } from '../ui/table';
import type { Context, View } from '../ui/view';
import { kernelNames } from './kernel_names';

/** Percent; less reads as 0.0 %. */
const kLeastGain = 0.05;

function fact(name: string, ...value: Child[]): HTMLElement {
  return h('div', { class: 'fact' }, h('dt', {}, name), h('dd', {}, ...value));
}

function facts(run: Run, kernel: Kernel): HTMLElement {
  const of = kernel.occupancy;
  return h(
    'dl',
    { class: 'facts' },
    fact('Duration', time(kernel.timeUs)),
    fact('Elapsed cycles', whole(kernel.cycles)),
    fact('Clock', `${plain(run.clockMhz / 1000)} GHz`),
    fact('Warp instructions', whole(kernel.instructions)),
    fact('IPC, active', plain(kernel.ipc)),
    fact('Grid', dims(kernel.grid)),
    fact('Block', dims(kernel.block)),
    fact('Registers a thread', whole(kernel.registers)),
    fact('Shared memory a CTA', `${whole(kernel.sharedBytes)} B`),
    fact('Waves', plain(kernel.waves)),
    fact('Achieved occupancy', `${pct(of.achievedPct)} of ${pct(of.theoreticalPct)}`),
    fact('Caches at the start', run.cacheState || 'n/a'),
  );
}

function verdict(run: Run, kernel: Kernel): HTMLElement {
  return h(
    'section',
    { class: 'panel verdict' },
    h('h3', {}, kernel.bound ? `Bound: ${kernel.bound}` : 'Verdict'),
    h('p', {}, short(withNames(kernel.verdict, run.states), 4000) || 'The program gave no verdict.'),
  );
}

function speedOfLight(kernel: Kernel): HTMLElement {
  const rows = [...kernel.units].sort((a, b) => b.decidingPct - a.decidingPct);
  const wide = (value: number) => ({ width: `${Math.max(0, Math.min(100, value))}%` });
  const list = h(
    'ul',
    { class: 'bars' },
    ...rows.map((unit) => {
      const level = unit.decidingPct >= 80 ? ' high' : unit.decidingPct >= 60 ? ' busy' : '';
      return h(
        'li',
        { class: unit.bounds ? 'bounds' : undefined },
        h('span', { class: 'bar-name' }, unit.name),
        h(
          'span',
          { class: 'bar', 'aria-hidden': 'true' },
          unit.decidingPct > unit.pct && h('span', { class: `fill beyond${level}`, style: wide(unit.decidingPct) }),
          h('span', { class: `fill${level}`, style: wide(unit.pct) }),
        ),
        h('span', { class: 'bar-value' }, pct(unit.pct)),
        (unit.note !== '' || unit.bounds) &&
          h(
            'span',
            { class: 'bar-note' },
            unit.bounds && h('strong', { class: 'bound-mark' }, `bounds the kernel, with ${pct(unit.decidingPct)}`),
            unit.bounds && unit.note !== '' && ': ',
            unit.note,
          ),
      );
    }),
  );
  return panel(
    'Speed of light',
    note(
      'How near each unit comes to its peak, in percent of the elapsed cycles. The busiest one bounds the kernel if ' +
        'it is at 60 % or more; where none is, latency does. The hatched part is the time in which the tensor pipes ' +
        'are busy without reaching the dense peak; it counts, too.',
    ),
    list,
  );
}

function warpStates(run: Run, kernel: Kernel): HTMLElement {
  const all = sum(Object.values(kernel.stalls));
  const rows = topStates(run.states, kernel.stalls);
  const bar = stateBar(run.states, kernel.stalls, all, [1000, 26]);
  bar.setAttribute('width', '100%');
  const shown = table(
    [
      {
        label: 'State',
        value: (row) => row.state.label,
        show: (row) =>
          h(
            'span',
            { class: 'state-name' },
            h('span', { class: 'swatch', style: { background: stateColour(row.state.key) } }),
            row.state.label,
          ),
      },
      { label: 'Warp-cycles', value: (row) => row.cycles, show: (row) => whole(row.cycles), numeric: true },
      { label: 'Share', value: (row) => row.cycles, show: (row) => share(row.cycles, all), numeric: true },
      {
        label: 'An instruction',
        value: (row) => row.cycles / Math.max(1, kernel.instructions),
        numeric: true,
        show: (row) => plain(row.cycles / Math.max(1, kernel.instructions)),
      },
      { label: 'The warp waits for', value: (row) => row.state.what, wide: true },
      { label: 'What helps', value: (row) => row.state.remedy, wide: true },
    ],
    rows,
    { caption: 'Warp states', hideCaption: true, sortable: true },
  );
  return panel(
    'Warp states',
    note(
      `Where ${whole(all)} warp-cycles went. "An instruction" is warp-cycles for each ` + 'instruction that issued.',
    ),
    bar,
    shown,
  );
}

function findingCard(context: Context, finding: Finding): HTMLElement {
  const { states } = context.run;
  const gain =
    finding.gainPct === null
      ? null
      : h(
          'span',
          { class: 'gain' },
          finding.simulated ? 'saves ' : 'may save ',
          finding.gainPct < kLeastGain ? 'almost nothing' : pct(finding.gainPct),
        );
  const jump =
    finding.index !== null
      ? button(`Show instruction ${finding.index}`, () => context.go({ view: 'source', index: finding.index ?? 0 }))
      : finding.line !== null
        ? button(`Show line ${finding.line}`, () => context.go({ view: 'source', line: finding.line ?? 0 }))
        : null;
  return h(
    'li',
    { class: 'finding' },
    h('h4', {}, heading(finding.title), gain),
    h('p', {}, withNames(finding.evidence, states)),
    finding.change !== '' &&
      h('p', { class: 'change' }, h('strong', {}, 'Change: '), withNames(finding.change, states)),
    gain &&
      h(
        'p',
        { class: 'note' },
        finding.simulated
          ? 'The gain was simulated.'
          : 'The gain is an estimate; ' + 'estimates overlap and do not add up.',
      ),
    jump,
  );
}

function findings(context: Context): HTMLElement {
  const found = context.kernel.findings;
  return panel(
    'Findings',
    found.length === 0
      ? note('No rule found anything to change.')
      : h('ol', { class: 'findings' }, ...found.map((finding) => findingCard(context, finding))),
  );
}

function diagnostics(run: Run): HTMLElement {
  const guessed = run.guesses.filter((guess) => guess.kind === 'guess').length;
  return panel(
    'Diagnostics',
    run.complete
      ? null
      : h('p', { class: 'warning' }, 'The run was stopped before its end: totals are those up to there.'),
    ...run.warnings.map((warning) => h('p', { class: 'warning' }, short(warning, 2000))),
    note(
      `The description of the GPU has ${plural(run.guesses.length, 'value')} that no vendor states: ` +
        `${guessed} guessed, ${run.guesses.length - guessed} inferred from measurements of others.`,
    ),
    run.guesses.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, 'The values, with their sources'),
        table(
          [
            { label: 'Key', value: (row) => row.key, show: (row) => h('code', {}, row.key) },
            { label: 'Value', value: (row) => row.value },
            { label: 'Kind', value: (row) => row.kind },
            { label: 'Source', value: (row) => row.source, wide: true },
          ],
          run.guesses,
          { caption: 'Guessed and inferred values', hideCaption: true, sortable: true },
        ),
      ),
  );
}

function kernelTable(context: Context): HTMLElement {
  const { run, kernel } = context;
  const total = sum(run.kernels.map((item) => item.timeUs));
  const columns: GridColumn<Kernel>[] = [
    { key: 'index', label: '#', width: '3rem', numeric: true, cell: (row) => row.index },
    { key: 'name', label: 'Kernel', width: 'minmax(10rem, 1fr)', cell: (row) => clipped(row.name) },
    { key: 'grid', label: 'Grid', width: '7.2rem', cell: (row) => dims(row.grid) },
    { key: 'block', label: 'Block', width: '6.4rem', cell: (row) => dims(row.block) },
    { key: 'cycles', label: 'Cycles', width: '6.4rem', numeric: true, cell: (row) => whole(row.cycles) },
    { key: 'time', label: 'Duration', width: '5.4rem', numeric: true, cell: (row) => time(row.timeUs) },
    { key: 'share', label: 'Share', width: '4.2rem', numeric: true, cell: (row) => share(row.timeUs, total) },
    { key: 'ipc', label: 'IPC', width: '3.4rem', numeric: true, cell: (row) => plain(row.ipc) },
    { key: 'bound', label: 'Bound', width: '5rem', cell: (row) => row.bound },
    {
      key: 'occupancy',
      label: 'Occupancy',
      width: '5.8rem',
      numeric: true,
      cell: (row) => pct(row.occupancy.achievedPct),
    },
  ];
  const grid = new Grid<Kernel>({
    label: 'Kernels of the run',
    columns,
    height: `${Math.min(14, 2.1 + 1.5 * run.kernels.length + 0.4)}rem`,
    onSelect: (row) => row.index !== kernel.index && context.go({ kernel: row.index }),
  });
  grid.setRows(run.kernels);
  grid.select(kernel.index, false);
  return panel(
    'Kernels',
    grid.box,
    note(
      `${plural(run.kernels.length, 'kernel')}: ${time(total)}, ` +
        `${whole(sum(run.kernels.map((item) => item.cycles)))} cycles, ` +
        `${whole(sum(run.kernels.map((item) => item.instructions)))} warp instructions.` +
        (run.kernels.length > 1 ? ' Select a row to see that kernel in all views.' : ''),
    ),
  );
}

function parameters(run: Run): HTMLElement | null {
  return run.parameters.length === 0
    ? null
    : panel(
        'Parameters',
        h('dl', { class: 'facts' }, ...run.parameters.map(([key, value]) => fact(short(key, 100), short(value, 200)))),
      );
}

export const summary: View = {
  id: 'summary',
  label: 'Summary',
  key: '1',
  render(context, root) {
    const { run, kernel } = context;
    root.append(
      ...[
        !run.complete && h('p', { class: 'warning', role: 'note' }, 'The run was stopped before its end.'),
        h('div', { class: 'kernel-name' }, h('h3', {}, heading(kernel.name, 'strong'))),
        verdict(run, kernel),
        facts(run, kernel),
        kernelNames(context),
        kernelTable(context),
        h('div', { class: 'columns' }, speedOfLight(kernel), findings(context)),
        warpStates(run, kernel),
        parameters(run),
        diagnostics(run),
      ].filter((part): part is HTMLElement => part instanceof HTMLElement),
    );
    return {};
  },
};
