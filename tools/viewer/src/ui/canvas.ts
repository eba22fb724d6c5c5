// SPDX-License-Identifier: MIT
// What pictures on a canvas share: their size, marks of a time axis, letters that can be read.

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
export function ticks(lo: number, hi: number, most: number): number[] {
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
