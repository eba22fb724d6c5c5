// SPDX-License-Identifier: MIT
// Which kernels of a run a page opens at and offers.
import type { Kernel } from '../data/types';

/** A list to choose from has so many kernels. */
const kMostListed = 1000;

/** The place of the kernel that took most time, of equal ones the first; 0 of no kernels. */
export function longestAt(kernels: readonly Kernel[]): number {
  return kernels.reduce((best, kernel, at) => (kernel.timeUs > kernels[best].timeUs ? at : best), 0);
}

/** Places of kernels to choose from, in order: of very many those that took most time, and the one at `current`. */
export function listed(kernels: readonly Kernel[], current: number, most = kMostListed): number[] {
  const places = kernels.map((_, at) => at);
  if (places.length <= most) {
    return places;
  }
  const longest = [...places].sort((a, b) => kernels[b].timeUs - kernels[a].timeUs).slice(0, most);
  return [...new Set([...longest, current])].sort((a, b) => a - b);
}
