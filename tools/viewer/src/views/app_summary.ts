// SPDX-License-Identifier: MIT
// The answer first, for an application: how long a step takes, where its time goes, and how much of the GPU works.
import type { AppGpu, Application } from '../data/application';
import { bytes, pct, plural, share, time } from '../model/format';
import { h, note, panel } from '../ui/dom';
import { table } from '../ui/table';
import type { View } from '../ui/view';

const kMostPath = 15;

/** A list of names with bars, of which `percent` is filled. */
function bars(rows: { name: string; percent: number; value: string; meaning: string }[]): HTMLElement {
  return h(
    'ul',
    { class: 'bars' },
    ...rows.map((row) =>
      h(
        'li',
        {},
        h('span', { class: 'bar-name' }, row.name),
        h(
          'span',
          { class: 'bar', 'aria-hidden': 'true' },
          h('span', { class: 'fill', style: { width: `${Math.max(0, Math.min(100, row.percent))}%` } }),
        ),
        h('span', { class: 'bar-value' }, row.value),
        h('span', { class: 'bar-note' }, row.meaning),
      ),
    ),
  );
}

function verdict(app: Application): HTMLElement {
  return h(
    'section',
    { class: 'panel verdict' },
    h('h3', {}, `${time(app.stepUs)} a step`),
    h('p', {}, app.verdict),
    h('p', { class: 'note' }, `The mean of ${plural(app.rounds, 'round')} on ${app.system}.`),
  );
}

function causes(app: Application): HTMLElement {
  const rows = app.causeWords
    .map(({ key, name, meaning }) => ({ name, meaning, us: app.causes.get(key) ?? 0 }))
    .filter((row) => row.us > 0)
    .map((row) => ({
      name: row.name,
      percent: (100 * row.us) / app.stepUs,
      value: share(row.us, app.stepUs),
      meaning: `${time(row.us)}: ${row.meaning}`,
    }));
  return panel(
    "Where a step's time goes",
    note(
      `On ${app.gpus[0]?.name ?? 'the GPU'}. ` +
        'Each moment has one cause, the first that fits, so they add up to the step.',
    ),
    bars(rows),
  );
}

function utilisation(app: Application): HTMLElement {
  const gpu = app.gpus[0];
  return panel(
    'Utilisation, in five senses',
    note(
      `Of ${gpu?.name ?? 'the GPU'}. ` +
        'GPU-Util says only that some kernel ran; the others say how much of the GPU worked.',
    ),
    bars(
      app.useWords.map(({ key, name, meaning }) => {
        const percent = 100 * (gpu?.uses.get(key) ?? 0);
        return { name, meaning, percent, value: pct(percent) };
      }),
    ),
  );
}

function allGpus(app: Application): HTMLElement {
  return panel(
    'All GPUs',
    table<AppGpu>(
      [
        { label: 'GPU', value: (gpu) => gpu.name },
        { label: 'Architecture', value: (gpu) => gpu.arch },
        ...app.useWords.map(({ key, name }) => ({
          label: name,
          value: (gpu: AppGpu) => gpu.uses.get(key) ?? 0,
          show: (gpu: AppGpu) => pct(100 * (gpu.uses.get(key) ?? 0)),
          numeric: true,
        })),
      ],
      app.gpus,
      { caption: 'Utilisation of all GPUs', hideCaption: true, sortable: true },
    ),
  );
}

function memory(gpu: AppGpu): HTMLElement {
  return panel(
    'Memory at its peak',
    note(
      `Of ${gpu.name}: ${bytes(gpu.peakAllocated)} allocated, ` +
        `${bytes(gpu.peakReserved)} reserved by PyTorch's allocator.`,
    ),
    bars(
      gpu.atPeak.map(([name, size]) => ({
        name,
        percent: (100 * size) / gpu.peakAllocated,
        value: bytes(size),
        meaning: '',
      })),
    ),
  );
}

function criticalPath(app: Application): HTMLElement {
  return panel(
    'Critical path',
    note('Each part waited for the one before. What shortens none of these does not shorten the step.'),
    table(
      [
        { label: 'Part', value: (part) => part.name },
        { label: 'Time a step', value: (part) => part.us, show: (part) => time(part.us), numeric: true },
        { label: 'Share', value: (part) => part.us, show: (part) => share(part.us, app.stepUs), numeric: true },
      ],
      app.path.slice(0, kMostPath),
      { caption: 'Parts of the critical path, longest first', hideCaption: true },
    ),
    app.path.length > kMostPath && note(`${plural(app.path.length - kMostPath, 'shorter part')} left out.`),
  );
}

export const appSummary: View = {
  id: 'summary',
  label: 'Summary',
  key: '1',
  ofPage: true,
  render({ page: { app } }, root) {
    if (app === null) {
      return {};
    }
    root.append(verdict(app), causes(app), utilisation(app));
    if (app.gpus.length > 1) {
      root.append(allGpus(app));
    }
    if ((app.gpus[0]?.peakAllocated ?? 0) > 0) {
      root.append(memory(app.gpus[0]));
    }
    root.append(criticalPath(app));
    return {};
  },
};
