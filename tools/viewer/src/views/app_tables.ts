// SPDX-License-Identifier: MIT
// What an application ran: kernels, copies, collectives, calls, each name with how often and how long.
import type { ActivityRow, Application } from '../data/application';
import { bytes, plain, scaled, share, time } from '../model/format';
import { clipped, note, panel } from '../ui/dom';
import { table, type Column } from '../ui/table';
import type { View } from '../ui/view';

function columns(app: Application): Column<ActivityRow>[] {
  const rounds = app.rounds * Math.max(1, app.gpus.length);
  const duration = (label: string, of: (row: ActivityRow) => number): Column<ActivityRow> => ({
    label,
    value: of,
    show: (row) => time(of(row)),
    numeric: true,
  });
  return [
    { label: 'Name', value: (row) => row.name, show: (row) => clipped(row.name) },
    {
      label: 'A step',
      value: (row) => row.count / rounds,
      show: (row) => plain(row.count / rounds),
      numeric: true,
    },
    duration('Time a step', (row) => row.totalUs / rounds),
    {
      label: 'Share of a step',
      value: (row) => row.totalUs,
      show: (row) => share(row.totalUs / rounds, app.stepUs),
      numeric: true,
    },
    duration('Mean', (row) => row.meanUs),
    duration('Shortest', (row) => row.leastUs),
    duration('Longest', (row) => row.mostUs),
  ];
}

export const appTables: View = {
  id: 'names',
  label: 'Kernels and calls',
  key: '3',
  ofPage: true,
  render({ page: { app } }, root) {
    if (app === null) {
      return {};
    }
    const base = columns(app);
    const moved: Column<ActivityRow>[] = [
      { label: 'Bytes', value: (row) => row.bytes, show: (row) => bytes(row.bytes), numeric: true },
      {
        label: 'Rate',
        value: (row) => row.bytes / row.totalUs,
        show: (row) => scaled((1e6 * row.bytes) / row.totalUs, 'B/s'),
        numeric: true,
      },
    ];
    const source: Column<ActivityRow> = { label: 'Its time is', value: (row) => row.timeIs, wide: true };
    const add = (title: string, rows: ActivityRow[], more: Column<ActivityRow>[]) => {
      if (rows.length > 0) {
        root.append(
          panel(title, table([...base, ...more], rows, { caption: title, hideCaption: true, sortable: true })),
        );
      }
    };
    if (app.gpus.length > 1) {
      root.append(note('Counts and times are of one GPU, the mean of all.'));
    }
    add('Kernels', app.kernels, [source]);
    add('Copies and fills', app.copies, moved);
    add('Collectives', app.collectives, moved);
    add('Calls of CUDA', app.calls, []);
    add('Work of the CPU', app.work, []);
    return {};
  },
};
