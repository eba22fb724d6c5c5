// SPDX-License-Identifier: MIT
// The geometry of the roofline: which roofs, which points, and what range shows them all.
import type { Kernel, Roof, Run } from '../data/types';

export interface Point {
  run: number;
  kernel: number;
  name: string;
  class: string;
  level: string;
  intensity: number;
  flops: number;
  /** Percent of what the roofs allow at this intensity. */
  pctOfRoof: number;
}

export interface Range {
  x: [number, number];
  y: [number, number];
}

/** What the roofs allow at an intensity: memory's slope or the flat peak, whichever is lower. */
export function attainable(intensity: number, peak: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? Math.min(peak, intensity * bytesPerSecond) : peak;
}

export function ridge(peak: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? peak / bytesPerSecond : 0;
}

/** Classes of all kernels, the ones that do most work first. */
export function classesOf(kernels: Kernel[]): string[] {
  const work = new Map<string, number>();
  for (const kernel of kernels) {
    for (const roof of kernel.roofs) {
      work.set(roof.class, (work.get(roof.class) ?? 0) + roof.flops * kernel.timeUs);
    }
  }
  return [...work].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Places of colours by the names of kernels, those first that took most time: the last colour is of all others. */
export function colourPlaces(kernels: Kernel[], colours: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const kernel of kernels) {
    times.set(kernel.name, (times.get(kernel.name) ?? 0) + kernel.timeUs);
  }
  const names = [...times].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return new Map(names.map((name, i) => [name, Math.min(i, colours - 1)]));
}

export interface SilentLevel {
  level: string;
  /** Kernels in which it has no traffic, and all that have its roof. */
  silent: number;
  all: number;
}

/** Levels of memory without traffic in some kernels, in which they have no point. */
export function silentLevels(kernels: Kernel[], only: string): SilentLevel[] {
  const levels = new Map<string, SilentLevel>();
  for (const roof of kernels.flatMap((kernel) => kernel.roofs).filter((item) => item.class === only)) {
    for (const { level, intensity } of roof.levels) {
      const own = levels.get(level) ?? { level, silent: 0, all: 0 };
      levels.set(level, { level, silent: own.silent + (intensity === null ? 1 : 0), all: own.all + 1 });
    }
  }
  return [...levels.values()].filter((item) => item.silent > 0);
}

/** Runs on one GPU share their roofs, which then are drawn and named once. */
export function sameRoof(a: Roof | null, b: Roof | null): boolean {
  const levels = (roof: Roof) => roof.levels.map((level) => `${level.level} ${level.bytesPerSecond}`).join();
  return a !== null && b !== null && a.peak === b.peak && levels(a) === levels(b);
}

export function pointsOf(kernel: Kernel, run: number, only: string): Point[] {
  return kernel.roofs
    .filter((roof) => roof.class === only && roof.flops > 0)
    .flatMap((roof) =>
      roof.levels
        .filter((level) => level.intensity !== null && level.intensity > 0)
        .map((level) => {
          const intensity = level.intensity ?? 0;
          const roofHere = attainable(intensity, roof.peak, level.bytesPerSecond);
          return {
            run,
            kernel: kernel.index,
            name: kernel.name,
            class: roof.class,
            level: level.level,
            intensity,
            flops: roof.flops,
            pctOfRoof: (100 * roof.flops) / roofHere,
          };
        }),
    );
}

/** The roof of a class, as the first kernel has it that uses it. */
export function roofOf(runs: Run[], only: string): Roof | null {
  for (const run of runs) {
    for (const kernel of run.kernels) {
      const roof = kernel.roofs.find((item) => item.class === only);
      if (roof !== undefined) {
        return roof;
      }
    }
  }
  return null;
}

/** The places of the runs with a level of that bandwidth, and how many runs have a roof at all. */
export function runsWith(runs: Run[], only: string, slope: number): { all: number; shared: number[] } {
  const roofs = runs.map((run) => roofOf([run], only));
  return {
    all: roofs.filter((roof) => roof !== null).length,
    shared: [...runs.keys()].filter((i) => roofs[i]?.levels.some((level) => level.bytesPerSecond === slope) === true),
  };
}

/** A range that shows all points, the ridges, and some space around. */
export function rangeOf(points: Point[], roofs: Roof[]): Range {
  const xs = points.map((point) => point.intensity);
  const ys = points.map((point) => point.flops);
  for (const roof of roofs) {
    ys.push(roof.peak);
    for (const level of roof.levels) {
      if (level.bytesPerSecond > 0) {
        xs.push(ridge(roof.peak, level.bytesPerSecond));
      }
    }
  }
  const round = (values: number[], otherwise: [number, number]): [number, number] => {
    const positive = values.filter((value) => value > 0 && Number.isFinite(value));
    if (positive.length === 0) {
      return otherwise;
    }
    const low = positive.reduce((a, b) => Math.min(a, b)) / 3;
    const high = positive.reduce((a, b) => Math.max(a, b)) * 2.5;
    return [low, Math.max(high, low * 30)];
  };
  return { x: round(xs, [0.01, 100]), y: round(ys, [1e9, 1e15]) };
}

/** The range made smaller (factor < 1) or larger around a point of it, both axes being logarithmic. */
export function zoomed(range: Range, factor: number, cx: number, cy: number): Range {
  const axis = ([low, high]: [number, number], centre: number): [number, number] => {
    const [a, b, c] = [Math.log10(low), Math.log10(high), Math.log10(centre)];
    const wide = Math.min(Math.max(factor, 0.3 / (b - a)), 24 / (b - a));
    return [10 ** (c - (c - a) * wide), 10 ** (c + (b - c) * wide)];
  };
  return { x: axis(range.x, cx), y: axis(range.y, cy) };
}

/** The range moved by a share of its width and height. */
export function moved(range: Range, dx: number, dy: number): Range {
  const axis = ([low, high]: [number, number], by: number): [number, number] => {
    const factor = (high / low) ** by;
    return [low * factor, high * factor];
  };
  return { x: axis(range.x, dx), y: axis(range.y, dy) };
}
