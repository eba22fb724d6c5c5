// SPDX-License-Identifier: MIT
// The columns of the source view.
import type { StateInfo } from '../data/types';
import { plain, whole } from '../model/format';
import { conflicts, sectorsARequest, type SourceRow } from '../model/source';
import { clipped } from '../ui/dom';
import type { GridColumn } from '../ui/grid';
import { stateBar, type BarLinks } from '../ui/states';

function optional(value: number | null): string {
  return value === null ? '' : plain(value, 1);
}

function textOf(row: SourceRow): HTMLElement {
  const text = row.count > 1 ? `${row.text}  (+ ${row.count - 1} more)` : row.text;
  const cell = clipped(text);
  cell.classList.add('code');
  return cell;
}

function stateColumn(state: StateInfo): GridColumn<SourceRow> {
  return {
    key: state.key,
    label: state.label,
    title: 'warp-cycles in this state',
    width: '8.4rem',
    numeric: true,
    sortable: true,
    cell: (row) => whole(row.stalls[state.key] ?? 0),
  };
}

export interface ColumnOptions {
  states: StateInfo[];
  rows: SourceRow[];
  /** The cycles that fill a bar. */
  most: () => number;
  links: (row: SourceRow) => BarLinks;
  /** States with a column of their own. */
  own: string[];
}

/** Columns in which none of the rows has anything are left out. */
export function columnsOf({ states, rows, most, links, own }: ColumnOptions): GridColumn<SourceRow>[] {
  const used = (key: string, has: (row: SourceRow) => boolean) => (rows.some(has) ? [] : [key]);
  const unused = [
    ...used('sectors', (row) => sectorsARequest(row) !== null),
    ...used('conflicts', (row) => conflicts(row) !== null),
    ...used('divergent', (row) => row.divergent > 0),
  ];
  const all: GridColumn<SourceRow>[] = [
    {
      key: 'index',
      label: '#',
      title: 'place in the code',
      width: '3rem',
      numeric: true,
      sortable: true,
      cell: (row) => row.index,
    },
    {
      key: 'line',
      label: 'Line',
      title: 'of the trace',
      width: '3.2rem',
      numeric: true,
      sortable: true,
      cell: (row) => (row.line > 0 ? row.line : ''),
    },
    { key: 'text', label: 'Instruction', width: 'minmax(11rem, 1fr)', cell: (row) => textOf(row) },
    {
      key: 'cycles',
      label: 'Warp-cycles',
      title: 'cycles that warps waited at it, or issued it',
      width: '6rem',
      numeric: true,
      sortable: true,
      cell: (row) => whole(row.cycles),
    },
    {
      key: 'bar',
      label: 'By state',
      width: '5.6rem',
      cell: (row) => stateBar(states, row.stalls, most(), [84, 14], links(row)),
    },
    ...states.filter((state) => own.includes(state.key)).map(stateColumn),
    {
      key: 'executions',
      label: 'Executions',
      title: 'warp instructions',
      width: '5.4rem',
      numeric: true,
      sortable: true,
      cell: (row) => whole(row.executions),
    },
    {
      key: 'lanes',
      label: 'Lanes',
      title: 'threads an execution, guard true',
      width: '3.4rem',
      numeric: true,
      sortable: true,
      cell: (row) => (row.executions > 0 ? plain(row.threads / row.executions, 1) : ''),
    },
    {
      key: 'sectors',
      label: 'Sect./req',
      title: 'sectors of 32 bytes a request',
      width: '4.8rem',
      numeric: true,
      sortable: true,
      cell: (row) => optional(sectorsARequest(row)),
    },
    {
      key: 'conflicts',
      label: 'Conflicts',
      title: 'wavefronts of shared memory beyond the least',
      width: '4.8rem',
      numeric: true,
      sortable: true,
      cell: (row) => optional(conflicts(row)),
    },
    {
      key: 'divergent',
      label: 'Divergent',
      title: 'executions whose lanes went both ways',
      width: '4.8rem',
      numeric: true,
      sortable: true,
      cell: (row) => (row.divergent > 0 ? whole(row.divergent) : ''),
    },
  ];
  return all.filter((column) => !unused.includes(column.key));
}
