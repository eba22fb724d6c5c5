// SPDX-License-Identifier: MIT
// The table of warp states that a page brings. states.json is what the program writes into its pages:
// GPUSIM_REGENERATE=1 test_output_html.
import table from './states.json' with { type: 'json' };

export const kStates = table.map((state) => state.key);

export function states(): Record<string, unknown>[] {
  return table.map((state) => ({ ...state }));
}
