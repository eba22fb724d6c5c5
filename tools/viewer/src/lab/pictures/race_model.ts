// SPDX-License-Identifier: MIT
// The same chains on a core of a CPU and on a GPU: how many are done at which time.
import type { PictureTable } from './table';

export interface Launch {
  readonly ctas: number;
  readonly threads: number;
  /** Microseconds of the whole launch on the GPU, as simulated. */
  readonly gpuUs: number;
  /** Microseconds of all chains on the core. */
  readonly coreUs: number;
}

export interface Race {
  readonly launches: readonly Launch[];
  readonly sms: number;
  /** Chains that the core has under way at a time. */
  readonly coreChains: number;
}

/** At one time. Shares lie between 0 and 1. */
export interface Standing {
  readonly gpuDone: number;
  readonly coreDone: number;
  /** The share of each SM's work that is done; null for an SM without work. */
  readonly sms: readonly (number | null)[];
  readonly core: number;
}

/** Columns: CTAs, threads, chains, microseconds on the GPU, microseconds on the core. */
export const kRaceColumns = 5;

/** The loser is watched for at most so many times the winner's time. */
const kLongest = 4;

export function raceOf(table: PictureTable): Race {
  return {
    launches: table.rows.map(([ctas, threads, , gpuUs, coreUs]) => ({ ctas, threads, gpuUs, coreUs })),
    sms: table.settings.get('sms') ?? 1,
    coreChains: table.settings.get('atonce') ?? 1,
  };
}

export const chainsOf = (launch: Launch) => launch.ctas * launch.threads;

/** The last moment that is shown. */
export function endOf(launch: Launch): number {
  const fast = Math.min(launch.gpuUs, launch.coreUs);
  return Math.min(Math.max(launch.gpuUs, launch.coreUs), kLongest * fast);
}

/** CTAs go to the SMs in turn, and those of one SM follow each other. */
export function standingAt(race: Race, launch: Launch, us: number): Standing {
  const chains = chainsOf(launch);
  const rounds = Math.ceil(launch.ctas / race.sms);
  const core = Math.min(1, us / launch.coreUs);
  const passes = Math.ceil(chains / race.coreChains);
  let gpuDone = 0;
  const sms = Array.from({ length: race.sms }, (_, sm) => {
    const ctas = Math.floor((launch.ctas + race.sms - 1 - sm) / race.sms);
    if (ctas === 0) {
      return null;
    }
    const share = Math.min(1, us / ((launch.gpuUs * ctas) / rounds));
    gpuDone += Math.floor(share * ctas) * launch.threads;
    return share;
  });
  return { gpuDone, coreDone: Math.min(chains, Math.floor(core * passes) * race.coreChains), sms, core };
}

const whole = (count: number) => count.toLocaleString('en-US');
const time = (us: number) => `${us.toLocaleString('en-US', { maximumFractionDigits: us < 100 ? 1 : 0 })} us`;

/** What a reader who does not see the picture has to know. */
export function describe(race: Race, launch: Launch, us: number): string {
  const { gpuDone, coreDone } = standingAt(race, launch, us);
  const chains = chainsOf(launch);
  const of = (done: number, all: number) =>
    done === chains ? `all ${whole(chains)}, after ${time(all)}` : `${whole(done)} of ${whole(chains)}`;
  const rest = us >= endOf(launch) ? [launch.gpuUs, launch.coreUs].find((all) => all > us) : undefined;
  return (
    `After ${time(us)}: the core has done ${of(coreDone, launch.coreUs)}; the GPU ${of(gpuDone, launch.gpuUs)}.` +
    (rest === undefined ? '' : ` The slower one ends after ${time(rest)}.`)
  );
}
