// SPDX-License-Identifier: MIT
// Grid, CTA, warp and lane of one launch, and where a simulation placed them.
import type { PictureTable } from './table';

const kLanes = 32;

export interface Launch {
  /** Threads of a CTA. */
  readonly threads: number;
  /** Sub-cores of an SM. */
  readonly subCores: number;
  readonly ctas: readonly { readonly sm: number; readonly begin: number; readonly end: number }[];
}

/** What is chosen; a level below one that is not chosen is null as well. */
export interface Chosen {
  readonly cta: number | null;
  readonly warp: number | null;
  readonly lane: number | null;
}

/** Columns: CTA, its SM, the cycle in which it began, the cycle in which it ended. */
export const kHierarchyColumns = 4;

export function launchOf(table: PictureTable): Launch {
  return {
    threads: table.settings.get('threads') ?? kLanes,
    subCores: table.settings.get('subcores') ?? 1,
    ctas: table.rows.map(([, sm, begin, end]) => ({ sm, begin, end })),
  };
}

export const warpsOf = (launch: Launch) => Math.ceil(launch.threads / kLanes);

/** Lanes of a warp, true for those that have a thread. */
export function lanesOf(launch: Launch, warp: number): boolean[] {
  return Array.from({ length: kLanes }, (_, lane) => warp * kLanes + lane < launch.threads);
}

const many = (count: number, what: string) => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;

function gridText(launch: Launch): string {
  const ctas = launch.ctas.length;
  return (
    `The grid has ${many(ctas, 'CTA')} of ${many(launch.threads, 'thread')}: ` +
    `${many(ctas * launch.threads, 'thread')} in ${many(ctas * warpsOf(launch), 'warp')}.`
  );
}

function ctaText(launch: Launch, cta: number): string {
  const { sm, begin, end } = launch.ctas[cta];
  return (
    `CTA ${cta} ran on SM ${sm} from its begin in cycle ${begin.toLocaleString('en-US')} to its end in cycle ` +
    `${end.toLocaleString('en-US')}. Its ${many(launch.threads, 'thread')} are ${many(warpsOf(launch), 'warp')}.`
  );
}

function warpText(launch: Launch, cta: number, warp: number): string {
  const first = warp * kLanes;
  const last = Math.min(first + kLanes, launch.threads) - 1;
  const idle = kLanes - (last - first + 1);
  return (
    `Warp ${warp} of CTA ${cta} issued from sub-core ${warp % launch.subCores} of its SM. ` +
    `It has the threads ${first} to ${last} of the CTA.` +
    (idle === 0 ? '' : ` ${many(idle, 'lane')} had no thread: the warp took as long as a full one.`)
  );
}

function laneText(launch: Launch, cta: number, warp: number, lane: number): string {
  const tid = warp * kLanes + lane;
  if (tid >= launch.threads) {
    return `Lane ${lane} of warp ${warp} had no thread. The next CTA does not fill it: a warp belongs to one CTA.`;
  }
  return (
    `Lane ${lane} of warp ${warp} was thread ${warp} * 32 + ${lane} = ${tid} of CTA ${cta}, and wrote element ` +
    `${cta} * ${launch.threads} + ${tid} = ${cta * launch.threads + tid}.`
  );
}

/** A sentence or two about what is chosen. */
export function describe(launch: Launch, { cta, warp, lane }: Chosen): string {
  if (cta === null) {
    return gridText(launch);
  }
  if (warp === null) {
    return ctaText(launch, cta);
  }
  return lane === null ? warpText(launch, cta, warp) : laneText(launch, cta, warp, lane);
}
