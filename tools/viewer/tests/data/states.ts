// SPDX-License-Identifier: MIT
// The table of warp states that a page brings.

export const kStates = [
  'drain',
  'sleeping',
  'barrier',
  'membar',
  'gmma',
  'no_instruction',
  'branch_resolving',
  'imc_miss',
  'long_scoreboard',
  'short_scoreboard',
  'wait',
  'dispatch_stall',
  'lg_throttle',
  'tex_throttle',
  'mio_throttle',
  'math_pipe_throttle',
  'misc',
  'not_selected',
  'selected',
];

const kWhat: Record<string, [string, string, string]> = {
  drain: ['Stall Drain', 'stores to finish after EXIT', 'coalesce and spread the last stores'],
  barrier: ['Stall Barrier', 'sibling warps at a barrier', 'balance the work before the barrier, or use smaller CTAs'],
  branch_resolving: ['Stall Branch Resolving', 'a branch target', 'branch less, or unroll'],
  no_instruction: ['Stall No Instruction', 'instruction fetch', 'shrink unrolled bodies, jump less'],
  long_scoreboard: [
    'Stall Long Scoreboard',
    'a result from L1TEX: global, local',
    'keep more loads in flight, coalesce, stage in shared memory, add warps',
  ],
  short_scoreboard: [
    'Stall Short Scoreboard',
    'a result from the MIO: shared memory, XU, shuffle',
    'remove bank conflicts, keep values in registers',
  ],
  wait: ['Stall Wait', 'a fixed-latency result', 'interleave independent instructions'],
  lg_throttle: ['Stall LG Throttle', "room in L1's local/global queue", 'use wider accesses, interleave arithmetic'],
  mio_throttle: ['Stall MIO Throttle', 'room in the MIO queue', 'use fewer, wider shared-memory accesses'],
  math_pipe_throttle: ['Stall Math Pipe Throttle', "a math pipe's input", 'mix other operations in, or do fewer'],
  not_selected: [
    'Stall Not Selected',
    'its turn: eligible, but another warp issued',
    'nothing: there are warps enough',
  ],
  selected: ['Selected', 'nothing: it issued', 'nothing'],
};

export function states(): Record<string, unknown>[] {
  return kStates.map((key) => {
    const [label, what, remedy] = kWhat[key] ?? [`Stall ${key}`, key, 'look at the code'];
    return { key, label, what, remedy };
  });
}
