// SPDX-License-Identifier: MIT
// What the program found when it compared results: each later one against the first, which is A.
import type { Change, Comparison, ComparedRun, KernelChange, LineChange } from '../data/comparison';
import { stateName, withNames } from '../data/states';
import { diagnosticsOf, headline, opcodesOf, placeOf, runAt, signedWhole } from '../model/compare';
import { short, whole } from '../model/format';
import { choice, chosen, clipped, h, note, panel } from '../ui/dom';
import { Grid } from '../ui/grid';
import { stateColour } from '../ui/palette';
import type { Context, Handle, Place, View } from '../ui/view';
import { rooflinePanel } from './compare_roofline';
import { causes, kernels, loneTable, metrics, outcomes, settings, states, totals, twoSided } from './compare_tables';

function sourceOf(run: ComparedRun | undefined): string {
  return run === undefined ? '' : `${run.name}: ${run.source}`;
}

class Comparing implements Handle {
  private readonly holder = h('div');
  private readonly chooser: HTMLElement | null;
  private readonly roofline: ReturnType<typeof rooflinePanel>;
  private at = 0;
  private kernel = '';

  constructor(
    private readonly context: Context,
    private readonly comparison: Comparison,
    root: HTMLElement,
  ) {
    const { changes, runs } = comparison;
    this.roofline = rooflinePanel(comparison);
    this.chooser =
      changes.length > 1
        ? choice(
            `Against ${changes[0].first}`,
            changes.map((change, i) => [String(i), short(sourceOf(runs[runAt(comparison, change.second)]), 80)]),
            '0',
            (value) => {
              this.at = Number(value);
              this.draw();
              context.moved();
            },
          )
        : null;
    root.append(h('div', { class: 'toolbar', hidden: this.chooser === null }, this.chooser), this.holder);
    this.draw();
  }

  private get change(): Change {
    return this.comparison.changes[this.at];
  }

  place(): Place {
    return { with: this.change.second, ...(this.kernel === '' ? {} : { of: this.kernel }) };
  }

  restore(place: Place): void {
    const at = this.comparison.changes.findIndex((change) => change.second === place.with);
    this.at = Math.max(0, at);
    this.kernel = this.change.kernels.some((kernel) => kernel.name === place.of) ? place.of : '';
    if (this.chooser !== null) {
      chosen(this.chooser, String(this.at));
    }
    this.draw();
  }

  redraw(): void {
    this.roofline.redraw();
  }

  private draw(): void {
    const { change, comparison, context } = this;
    const diagnostics = diagnosticsOf(context.page, change);
    const { states: known } = context.page.runs[0];
    const [first, ...more] = change.summary.map((sentence) => withNames(sentence, known));
    this.holder.replaceChildren(
      ...[
        ...diagnostics.map((text) => h('p', { class: 'warning', role: 'note' }, text)),
        h(
          'section',
          { class: 'panel verdict' },
          h('h3', {}, headline(change, diagnostics.length > 0)),
          h('p', {}, first ?? 'The comparison has no sentence.'),
          more.length > 0 && h('ul', { class: 'sentences' }, ...more.map((sentence) => h('li', {}, sentence))),
        ),
        totals(context, comparison),
        outcomes(comparison),
        settings(change),
        causes(change, diagnostics.length === 0),
        states(context.page.runs[0], change),
        kernels(change),
        loneTable(change.onlyFirst, change.first),
        loneTable(change.onlySecond, change.second),
        this.lines(),
        this.roofline.element,
        metrics(change),
      ].filter((part): part is HTMLElement => part instanceof HTMLElement),
    );
    this.roofline.redraw();
  }

  private lines(): HTMLElement | null {
    const { change } = this;
    if (change.kernels.length === 0) {
      return null;
    }
    const named = (name: string) => change.kernels.find((kernel) => kernel.name === name);
    const shown = named(this.context.kernel.name);
    const kernel = named(this.kernel) ?? (shown?.lines ? shown : change.kernels[0]);
    const pick =
      change.kernels.length > 1 &&
      h(
        'div',
        { class: 'toolbar' },
        choice(
          'Kernel',
          change.kernels.slice(0, 1000).map((item) => [item.name, short(item.name, 60)]),
          kernel.name,
          (value) => {
            this.kernel = value;
            this.draw();
            this.context.moved();
          },
        ),
      );
    return panel(
      `Lines of ${short(kernel.name, 80)}`,
      note(
        'Warp-cycles by line of the trace, the most changed first. Lines are matched by their number, so this means ' +
          'something where both results are of one file. Enter shows the line in the source.',
      ),
      pick,
      this.linesOf(kernel),
    );
  }

  private linesOf(kernel: KernelChange): HTMLElement {
    if (kernel.lines === null) {
      return h(
        'div',
        { class: 'missing' },
        h(
          'p',
          {},
          'This page has very many kernels. It holds the lines of those whose time changed most, and this kernel is ' +
            'not among them.',
        ),
        h('p', {}, h('code', {}, 'gpusim compare A B --json FILE'), ' writes the lines of all kernels.'),
      );
    }
    const rows = kernel.lines.filter((line) => line.state !== '');
    if (rows.length === 0) {
      return note('No line changed.');
    }
    const grid = this.lineGrid(kernel, rows);
    grid.setRows(rows);
    return grid.box;
  }

  private lineGrid(kernel: KernelChange, rows: LineChange[]): Grid<LineChange> {
    const { change } = this;
    const { states: known } = this.context.page.runs[0];
    const most = rows.reduce((high, row) => Math.max(high, Math.abs(row.cycles.difference)), 0);
    return new Grid<LineChange>({
      label: 'Lines of the source',
      height: `${Math.min(24, 3 + 1.65 * rows.length)}rem`,
      columns: [
        { key: 'line', label: 'Line', width: '4rem', numeric: true, cell: placeOf },
        {
          key: 'opcode',
          label: 'Opcode',
          width: 'minmax(12rem, 1fr)',
          cell: (row) => {
            const cell = clipped(opcodesOf(row));
            cell.classList.add('code');
            return cell;
          },
        },
        { key: 'a', label: change.first, width: '8rem', numeric: true, cell: (row) => whole(row.cycles.first) },
        { key: 'b', label: change.second, width: '8rem', numeric: true, cell: (row) => whole(row.cycles.second) },
        {
          key: 'difference',
          label: 'Difference',
          width: '8rem',
          numeric: true,
          cell: (row) => signedWhole(row.cycles.difference),
        },
        {
          key: 'state',
          label: 'Mostly in',
          width: '9rem',
          cell: (row) => stateName(known, row.state),
        },
        {
          key: 'bar',
          label: 'Less | more',
          width: '10rem',
          cell: (row) => twoSided(row.cycles.difference, most, row.state ? stateColour(row.state) : 'var(--bar)'),
        },
      ],
      onKey: (event, row) => event.key === 'Enter' && row !== null && this.toSource(kernel, row),
    });
  }

  /** To the line in the run that the page shows, if it is one of the two and has it; else in one that does. */
  private toSource(kernel: KernelChange, row: LineChange): boolean {
    const { context, comparison, change } = this;
    const has = [row.second !== null && change.second, row.first !== null && change.first]
      .filter((name): name is string => name !== false)
      .map((name) => runAt(comparison, name));
    const own = context.page.runs.indexOf(context.run);
    const run = has.includes(own) ? own : has[0];
    const place = context.page.runs[run]?.kernels.findIndex((item) => item.name === kernel.name) ?? -1;
    if (place < 0) {
      return false;
    }
    const found = context.page.runs[run].kernels[place].code().find((item) => item.line === row.line);
    context.go({ view: 'source', run, kernel: place, ...(found ? { index: found.index } : { line: row.line }) });
    return true;
  }
}

export const compare: View = {
  id: 'compare',
  label: 'Compare',
  key: '9',
  ofPage: true,
  keys: [['Enter', 'on a line: to the source']],
  render(context, root) {
    const { comparison } = context.page;
    if (comparison === null || comparison.changes.length === 0) {
      root.append(
        panel('Compare', note('The page holds no comparison that this viewer can read. Write it again with gpusim.')),
      );
      return {};
    }
    return new Comparing(context, comparison, root);
  },
};
