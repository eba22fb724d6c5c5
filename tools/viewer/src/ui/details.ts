// SPDX-License-Identifier: MIT
// What a view says where the page has no details of a kernel: instructions, or what was recorded over time.
import type { Kernel } from '../data/types';
import { h, missing } from './dom';

/** A box that says how to get what is not there. Of very many kernels a page leaves out the details of most. */
export function missingDetails(kernel: Kernel, what: string, how: string): HTMLElement {
  return kernel.detailsLeftOut
    ? h(
        'div',
        { class: 'missing' },
        h(
          'p',
          {},
          'This page has very many kernels. It holds the instructions and time series of those that took the most ' +
            'time, and this kernel is not among them.',
        ),
        h('p', {}, 'To see them: run with ', h('code', {}, '--kernel'), ' and the name of this kernel.'),
      )
    : missing(what, how);
}
