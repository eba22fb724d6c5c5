// SPDX-License-Identifier: MIT
// Curves of occupancy.
import type { Curve } from '../data/types';

/**
 * The corners of a curve, as value and warps. What lies between two values is allocated as the higher one: units of
 * registers and of shared memory, and warps, are rounded up. So a step stands at the lower one.
 */
export function stepsOf(curve: Curve): [number, number][] {
  return curve.x.flatMap((value, i): [number, number][] => {
    const warps = curve.warps[i] ?? 0;
    const stepped = i > 0 && warps !== curve.warps[i - 1];
    return stepped
      ? [
          [curve.x[i - 1], warps],
          [value, warps],
        ]
      : [[value, warps]];
  });
}
