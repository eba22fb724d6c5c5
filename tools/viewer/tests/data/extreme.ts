// SPDX-License-Identifier: MIT
// Pages that are hostile or large.
import { kProgram } from './mini_sm';
import { packWatch, type WatchRow } from './pack';
import { runPage, type Json } from './page';
import { kStates } from './states';

export const kHostile = '<img src=x onerror="document.title=\'hacked\'">"\'`\n</script><script>alert(1)</script>&amp;';

/** Names with HTML, quotes and line ends, 5,000 characters long. */
export function hostilePage(): Json {
  const page = runPage({ name: kHostile + 'x'.repeat(5000) });
  const { kernels } = page.result as { kernels: { hotspots: Json[] }[] };
  kernels[0].hotspots[0].text = `${kHostile}${'y'.repeat(5000)}`;
  const { kernels: views } = page.view as { kernels: { findings: Json[]; verdict: string }[] };
  views[0].verdict = kHostile;
  views[0].findings[0].title = kHostile.repeat(20);
  return page;
}

/** A program of many instructions, in the short form: what is zero is left out. */
export function longPage(instructions: number): Json {
  const page = runPage({ recorded: false, kernels: 1 });
  const [first] = (page.result as { kernels: Json[] }).kernels;
  first.hotspots = Array.from({ length: instructions }, (_, i) => ({
    index: i,
    line: 1 + (i >> 2),
    text: `FFMA R${i % 200}, R${(i + 1) % 200}, R${(i * 7) % 200}, R1`,
    warp_instructions: 32,
    thread_instructions: 1024,
    stalls: { selected: 32, wait: (i * 13) % 97, ...(i % 50 === 7 ? { long_scoreboard: 4000 + (i % 1000) } : {}) },
    ...(i % 50 === 7
      ? {
          producers: [{ index: i - 7, opcode: 'FFMA', line: 1, state: 'long_scoreboard', cycles: 9 }],
        }
      : {}),
  }));
  return page;
}

/** A page of so many kernels that it leaves out the details of this one. */
export function pageWithoutDetails(): Json {
  const page = runPage({ recorded: false, kernels: 1 });
  (page.result as { kernels: Json[] }).kernels[0].hotspots = [];
  const [view] = (page.view as { kernels: { details_left_out: boolean; occupancy: Json }[] }).kernels;
  view.details_left_out = true;
  view.occupancy.curves = [];
  return page;
}

/** A timeline of many intervals: warps of 64 slots, each waiting and issuing by turns. */
export function longWatch(intervals: number): Json {
  const page = runPage({ kernels: 1 });
  const run = page.result as { kernels: { cycles: number }[] };
  const tracks = 64;
  const each = Math.floor(intervals / tracks);
  const rows: WatchRow[] = [];
  for (let track = 0; track < tracks; ++track) {
    for (let i = 0, at = track; i < each; ++i) {
      const long = i % 2 === 0 ? 1 : 3 + ((i * 31 + track * 7) % 40);
      rows.push([
        0,
        0,
        track >> 4,
        track & 15,
        track,
        track & 3,
        at,
        at + long,
        i % 2 === 0 ? 'selected' : kStates[8 + ((i >> 7) % 3)],
        i % kProgram.length,
        0xffffffff,
        0xffffffff,
        null,
      ]);
      at += long;
      run.kernels[0].cycles = Math.max(run.kernels[0].cycles, at);
    }
  }
  page.watch = packWatch(rows);
  return page;
}
