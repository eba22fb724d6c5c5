// SPDX-License-Identifier: MIT
// What stands below the sentences on a cycle: the lanes of the warp, and the other warps of its sub-core.
import type { Track } from '../data/types';
import type { Why } from '../model/why';
import { h } from '../ui/dom';
import { stateColour } from '../ui/palette';

export function laneBox(found: Why): HTMLElement {
  const hex = (mask: number) => `0x${(mask >>> 0).toString(16).padStart(8, '0')}`;
  return h(
    'div',
    { class: 'lane-box' },
    h('h5', {}, `Lanes on the path ${hex(found.lanes)}, with a true guard ${hex(found.lanesOn)}`),
    h(
      'div',
      { class: 'lanes', 'aria-hidden': 'true' },
      ...Array.from({ length: 32 }, (_, lane) => {
        const [on, path] = [(found.lanesOn >>> lane) & 1, (found.lanes >>> lane) & 1];
        return h('span', { class: path === 0 ? 'lane' : on === 1 ? 'lane on' : 'lane path', title: `lane ${lane}` });
      }),
    ),
  );
}

/** The warps of the sub-core of `track` in this cycle, that one marked. */
export function neighbours(found: Why, track: Track): HTMLElement {
  return h(
    'div',
    {},
    h('h5', {}, `Warps of sub-core ${track.subCore} in this cycle`),
    h(
      'ul',
      { class: 'neighbours' },
      ...found.subCore.map((other) =>
        h(
          'li',
          { class: other.track === track ? 'own' : undefined },
          h('span', { class: 'swatch', style: { background: stateColour(other.state) } }),
          h('span', { class: 'where' }, `slot ${other.track.slot}`),
          h('span', {}, other.label),
          h('span', { class: 'code clip' }, `${other.index >= 0 ? other.index : ''} ${other.text}`),
        ),
      ),
    ),
  );
}
