// SPDX-License-Identifier: MIT
// Draws the lanes of an application: streams of GPUs and threads of the CPU, a bar an activity. What is on the critical
// path has a line below it.
import type { Application } from '../data/application';
import { barsOf, type Bar } from '../model/lanes';
import { short, time as timeText } from '../model/format';
import { drawRuler, letterColour, sized } from './canvas';
import { kSeriesColours } from './palette';
import { colour, theme } from './theme';

export const kLaneMargins = { left: 150, right: 14 };
const kRuler = 24;
const kRow = 24;
const kBar = 15;
/** Pixels that a name takes at least, and a letter about. */
const kNamed = 34;
const kLetter = 6.2;
const kLeastBar = 1.5;

/** Which colour of series each kind of activity has, in their order. */
const kColourOf: Record<string, number> = {
  compute: 0,
  memory: 2,
  small: 5,
  recorded: 7,
  copy: 4,
  fill: 4,
  collective: 6,
  call: 3,
  work: 1,
};

/** Ranges hold the others: they stand back. */
const kRangeColour = '--line';

/** For style sheets. */
export function kindColour(key: string): string {
  return `var(${key in kColourOf ? `--series-${kColourOf[key]}` : kRangeColour})`;
}

/** For the canvas. */
function fillOf(key: string): string {
  return key in kColourOf ? kSeriesColours[theme()][kColourOf[key]] : colour(kRangeColour);
}

export interface LanePicture {
  app: Application;
  lo: number;
  hi: number;
  selected: number;
  width: number;
}

export function laneAt(y: number, app: Application): number {
  const row = Math.floor((y - kRuler) / kRow);
  return row >= 0 && row < app.lanes.length ? row : -1;
}

function drawBar(context: CanvasRenderingContext2D, picture: LanePicture, bar: Bar, top: number): void {
  const { app, lo, hi, width } = picture;
  const inner = width - kLaneMargins.left - kLaneMargins.right;
  const x = (at: number) => kLaneMargins.left + ((at - lo) / (hi - lo)) * inner;
  const [a, b] = [x(bar.begin), Math.max(x(bar.end), x(bar.begin) + kLeastBar)];
  const fill = fillOf(app.kinds[bar.kind].key);
  context.fillStyle = fill;
  context.fillRect(a, top, b - a > 4 ? b - a - 1 : b - a, kBar);
  if (bar.critical) {
    context.fillStyle = colour('--ink');
    context.fillRect(a, top + kBar + 1, b - a, 2);
  }
  if (bar.activity >= 0 && b - a >= kNamed) {
    context.fillStyle = letterColour(fill);
    context.textAlign = 'left';
    const name = app.activities.names[app.activities.name[bar.activity]];
    context.fillText(short(name, Math.max(5, Math.floor((b - a - 6) / kLetter))), a + 3, top + kBar - 4);
  }
}

function label(context: CanvasRenderingContext2D, picture: LanePicture, row: number, top: number): void {
  const lane = picture.app.lanes[row];
  const isFirst = row === 0 || picture.app.lanes[row - 1].group !== lane.group;
  context.textAlign = 'left';
  if (isFirst) {
    context.fillStyle = colour('--soft');
    context.fillText(short(lane.group, 10), 2, top + kBar - 3);
    context.fillStyle = colour('--line');
    context.fillRect(0, top - 4, picture.width, 1);
  }
  context.textAlign = 'right';
  context.fillStyle = row === picture.selected ? colour('--ink') : colour('--soft');
  context.fillText(short(lane.name, 16), kLaneMargins.left - 8, top + kBar - 3);
}

export function drawLanes(canvas: HTMLCanvasElement, picture: LanePicture): void {
  const { app, lo, hi, width, selected } = picture;
  const height = kRuler + app.lanes.length * kRow + 4;
  const context = sized(canvas, width, height);
  if (context === null) {
    return;
  }
  const text = (ns: number) => timeText(ns / 1000);
  drawRuler(context, { ...picture, margins: kLaneMargins, top: kRuler, apart: 110, half: 30, text }, height);
  const least = ((hi - lo) / (width - kLaneMargins.left - kLaneMargins.right)) * kLeastBar;
  app.lanes.forEach((lane, row) => {
    const top = kRuler + row * kRow + 3;
    context.font = '11px system-ui, sans-serif';
    label(context, picture, row, top);
    for (const bar of barsOf(app.activities, lane, lo, hi, least, app.kinds.length)) {
      drawBar(context, picture, bar, top);
    }
  });
  if (selected >= 0) {
    context.strokeStyle = colour('--cursor');
    context.lineWidth = 1.5;
    const inner = width - kLaneMargins.left - kLaneMargins.right;
    context.strokeRect(kLaneMargins.left - 1, kRuler + selected * kRow, inner + 2, kRow - 1);
  }
}
