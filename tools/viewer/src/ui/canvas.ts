// SPDX-License-Identifier: MIT
// What pictures on a canvas share: their size, the ruler of their time axis, letters that can be read.
import { colour } from './theme';

/** Gives the canvas its size in pixels of the page; null where it cannot be drawn on. */
export function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context?.scale(scale, scale);
  return context;
}

/** Round whole numbers from `lo` to `hi`, about `most` of them at most. */
function ticks(lo: number, hi: number, most: number): number[] {
  const rough = (hi - lo) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power);
  const found: number[] = [];
  for (let tick = Math.ceil(lo / step) * step; tick <= hi; tick += step) {
    found.push(tick);
  }
  return found;
}

/** The colour of letters on a bar of the colour #rrggbb. */
export function letterColour(hex: string): string {
  const value = parseInt(hex.slice(1), 16);
  const light = 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255);
  return light < 140 ? '#ffffff' : '#111111';
}

export interface Ruler {
  lo: number;
  hi: number;
  width: number;
  margins: { left: number; right: number };
  /** Where the rows begin. */
  top: number;
  /** Pixels from a mark to the next, at least. */
  apart: number;
  /** Pixels that half a number takes. */
  half: number;
  text: (value: number) => string;
}

/** Numbers along the top, with lines down to `height`. */
export function drawRuler(context: CanvasRenderingContext2D, ruler: Ruler, height: number): void {
  const { lo, hi, width, margins } = ruler;
  const inner = width - margins.left - margins.right;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  for (const tick of ticks(lo, hi, inner / ruler.apart)) {
    const x = Math.round(margins.left + ((tick - lo) / (hi - lo)) * inner) + 0.5;
    context.fillStyle = colour('--soft');
    context.fillText(ruler.text(tick), Math.min(width - ruler.half, Math.max(margins.left + 10, x)), 12);
    context.fillStyle = colour('--line');
    context.fillRect(x, ruler.top - 7, 1, height);
  }
}
