// SPDX-License-Identifier: MIT
// Draws the warps of an SM: one row per slot, coloured by state. Far out, a pixel shows how its cycles divide;
// near, each interval is a bar with its letter. Diverged warps are lower bars: their height is the share of lanes.
import type { StateInfo, Track, Watch } from '../data/types';
import { whole } from '../model/format';
import { before, intervalAt, lanesIn, mix } from '../model/timeline';
import { drawRuler, letterColour, sized } from './canvas';
import { stateHex } from './palette';
import { colour, theme } from './theme';

export const kMargins = { left: 92, right: 8 };
const kRuler = 24;
const kNear = 3;

export interface Picture {
  watch: Watch;
  tracks: Track[];
  states: StateInfo[];
  lo: number;
  hi: number;
  selected: number;
  width: number;
}

export function rowHeight(tracks: number): number {
  return Math.max(9, Math.min(22, Math.floor(560 / Math.max(1, tracks))));
}

/** The place of the row under a pixel, or -1. */
export function rowAt(y: number, tracks: number): number {
  const row = Math.floor((y - kRuler) / rowHeight(tracks));
  return row >= 0 && row < tracks ? row : -1;
}

/** #rrggbb as the canvas stores it: red in the lowest byte. */
function packed(hex: string): number {
  const value = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

function far(context: CanvasRenderingContext2D, picture: Picture, track: Track, top: number): void {
  const scale = window.devicePixelRatio || 1;
  const { watch, states, lo, hi, width } = picture;
  const inner = Math.floor((width - kMargins.left - kMargins.right) * scale);
  const height = Math.max(1, Math.floor((rowHeight(picture.tracks.length) - 1) * scale));
  const count = states.length;
  const { cycles, lanes } = mix(watch, track, lo, hi, inner, count);
  const colours = states.map((state) => packed(stateHex(state.key, theme())));
  const image = context.createImageData(inner, height);
  const pixels = new Uint32Array(image.data.buffer);
  const perPixel = (hi - lo) / inner;
  for (let x = 0; x < inner; ++x) {
    let total = 0;
    for (let state = 0; state < count; ++state) {
      total += cycles[x * count + state];
    }
    if (total <= 0) {
      continue;
    }
    const full = Math.max(0.2, Math.min(1, total / perPixel)) * Math.max(0.25, lanes[x] / total / 32);
    let level = height;
    let sum = 0;
    for (let state = count - 1; state >= 0; --state) {
      sum += cycles[x * count + state];
      const next = Math.round(height - (height * full * sum) / total);
      for (let y = level - 1; y >= next; --y) {
        pixels[y * inner + x] = colours[state];
      }
      level = next;
    }
  }
  context.putImageData(image, kMargins.left * scale, top * scale);
}

function near(context: CanvasRenderingContext2D, picture: Picture, track: Track, top: number): void {
  const { watch, states, lo, hi, width } = picture;
  const inner = width - kMargins.left - kMargins.right;
  const height = rowHeight(picture.tracks.length) - 2;
  const shade = theme();
  const x = (cycle: number) => kMargins.left + ((cycle - lo) / (hi - lo)) * inner;
  for (let i = Math.max(track.from, before(watch, track, lo)); i < track.to && watch.begin[i] < hi; ++i) {
    const [a, b] = [Math.max(kMargins.left, x(watch.begin[i])), Math.min(width - kMargins.right, x(watch.end[i]))];
    if (b <= a) {
      continue;
    }
    const lanes = lanesIn(watch.lanes[i]);
    const tall = height * Math.max(0.25, lanes / 32);
    const state = states[watch.state[i]];
    const fill = stateHex(state?.key ?? '', shade);
    context.fillStyle = fill;
    context.fillRect(a, top + height - tall, Math.max(0.5, b - a - (b - a > 4 ? 1 : 0)), tall);
    if (b - a >= 9 && height >= 10) {
      context.fillStyle = letterColour(fill);
      context.fillText(state?.glyph ?? '', (a + b) / 2, top + height - Math.min(tall, height) / 2 + 4);
    }
  }
}

/** Whether intervals are so few that each gets a bar. */
function isNear(picture: Picture): boolean {
  const inner = picture.width - kMargins.left - kMargins.right;
  const shown = picture.tracks.reduce(
    (most, track) =>
      Math.max(most, before(picture.watch, track, picture.hi) - before(picture.watch, track, picture.lo)),
    0,
  );
  return shown * kNear < inner || picture.hi - picture.lo <= inner / 4;
}

function labels(context: CanvasRenderingContext2D, picture: Picture): void {
  const high = rowHeight(picture.tracks.length);
  let last = -1;
  picture.tracks.forEach((track, row) => {
    const y = kRuler + row * high;
    if (track.subCore !== last) {
      last = track.subCore;
      context.fillStyle = colour('--soft');
      context.textAlign = 'left';
      context.fillText(`sub-core ${track.subCore}`, 2, y + Math.min(high, 14) - 3);
      if (row > 0) {
        context.fillStyle = colour('--soft');
        context.fillRect(0, y - 1, picture.width, 1);
      }
    }
    context.fillStyle = row === picture.selected ? colour('--ink') : colour('--soft');
    context.textAlign = 'right';
    context.fillText(String(track.slot), kMargins.left - 8, y + Math.min(high, 14) - 3);
  });
}

export function drawWarps(canvas: HTMLCanvasElement, picture: Picture): void {
  const { tracks, width, selected } = picture;
  const high = rowHeight(tracks.length);
  const height = kRuler + tracks.length * high + 4;
  const context = sized(canvas, width, height);
  if (context === null) {
    return;
  }
  drawRuler(context, { ...picture, margins: kMargins, top: kRuler, apart: 90, half: 24, text: whole }, height);
  const close = isNear(picture);
  context.font = 'bold 10px ui-monospace, monospace';
  context.textAlign = 'center';
  tracks.forEach((track, row) =>
    close ? near(context, picture, track, kRuler + row * high) : far(context, picture, track, kRuler + row * high),
  );
  context.font = '11px system-ui, sans-serif';
  labels(context, picture);
  if (selected >= 0) {
    context.strokeStyle = colour('--cursor');
    context.lineWidth = 1.5;
    context.strokeRect(
      kMargins.left - 1,
      kRuler + selected * high - 1,
      width - kMargins.left - kMargins.right + 2,
      high + 0.5,
    );
  }
}

/** What a pointer over a row points at, for the tooltip. */
export function describe(picture: Picture, row: number, cycle: number): string[] {
  const track = picture.tracks[row];
  const place = intervalAt(picture.watch, track, cycle);
  if (place < 0) {
    return [`slot ${track.slot}: no warp`];
  }
  const { watch, states } = picture;
  return [
    `warp ${watch.warp[place]} of CTA ${watch.cta[place]}, cycle ${whole(Math.floor(cycle))}`,
    states[watch.state[place]]?.label ?? 'unknown',
    `cycles ${whole(watch.begin[place])} to ${whole(watch.end[place])}`,
    `${lanesIn(watch.lanes[place])} lanes`,
  ];
}
