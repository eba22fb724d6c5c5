// SPDX-License-Identifier: MIT
// The kernels of a run by name, where launches share names: how often each ran, and how long it took.
import type { Kernel, KernelName } from '../data/types';
import { pct, plain, short, whole } from '../model/format';
import { button, clipped, h, note, panel } from '../ui/dom';
import { table, type Column } from '../ui/table';
import type { Context } from '../ui/view';

/** The launch that took longest, by name. */
export function longestByName(kernels: Kernel[]): Map<string, Kernel> {
  const longest = new Map<string, Kernel>();
  for (const kernel of kernels) {
    const other = longest.get(kernel.name);
    if (other === undefined || kernel.timeUs > other.timeUs) {
      longest.set(kernel.name, kernel);
    }
  }
  return longest;
}

function times(label: string, value: (row: KernelName) => number): Column<KernelName> {
  return { label, value, show: (row) => plain(value(row)), numeric: true };
}

export function kernelNames(context: Context): HTMLElement | null {
  const { run } = context;
  if (run.names.length === 0) {
    return null;
  }
  const longest = longestByName(run.kernels);
  const show = (row: KernelName) => {
    const kernel = longest.get(row.name);
    return kernel === undefined
      ? ''
      : button(`#${kernel.index}`, () => context.go({ kernel: kernel.index }), {
          'aria-label': `Show launch ${kernel.index}, the longest of ${short(row.name, 100)}`,
        });
  };
  return panel(
    'Kernels by name',
    note('Times in us. The button shows the longest launch of a name.'),
    h(
      'div',
      { class: 'by-name' },
      table<KernelName>(
        [
          { label: 'Kernel', value: (row) => row.name, show: (row) => clipped(row.name), wide: true },
          { label: 'Share', value: (row) => row.timePct, show: (row) => pct(row.timePct), numeric: true },
          { label: 'Launches', value: (row) => row.instances, show: (row) => whole(row.instances), numeric: true },
          times('Total', (row) => row.totalUs),
          times('Mean', (row) => row.averageUs),
          times('Median', (row) => row.medianUs),
          times('Least', (row) => row.leastUs),
          times('Most', (row) => row.mostUs),
          times('Deviation', (row) => row.deviationUs),
          { label: 'Longest', value: (row) => longest.get(row.name)?.index ?? null, show, numeric: true },
        ],
        run.names,
        { caption: 'Kernels by name', hideCaption: true, sortable: true },
      ),
    ),
  );
}
