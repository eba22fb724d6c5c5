// SPDX-License-Identifier: MIT
// The name of a roof of memory, along its slope.
import { scaled } from '../model/format';
import { ridge } from '../model/roofline';
import type { Scale } from '../ui/chart';
import { s } from '../ui/dom';

/** Pixels that a letter of a label takes, about. */
const kLetter = 6.4;
/** Pixels from the frame, which then cuts off no letter, and to the label of the peak. */
const kFromFrame = 14;
const kToPeak = 24;
const kNextRun = 150;

export interface Slope {
  x: Scale;
  y: Scale;
  /** Bytes a second, and the FLOP/s at which the slope ends. */
  slope: number;
  peak: number;
}

/**
 * Where the slope enters the picture; those of later runs further along, where slopes of the first one have no label.
 * Without room for its bandwidth it has its name alone, or none.
 */
export function slopeLabel({ x, y, slope, peak }: Slope, name: string, run: number): SVGElement {
  const [from, to] = x.range();
  const wide = to - from;
  const start = Math.max(x.domain()[0], y.domain()[0] / slope);
  const at = x.invert(x(start) + kFromFrame + run * Math.min(kNextRun, wide / 4));
  const [px, py] = [x(at), y(at * slope)];
  const angle = (Math.atan2(y(10) - y(1), x(10) - x(1)) * 180) / Math.PI;
  const room = Math.hypot(x(ridge(peak, slope)) - px, y(peak) - py) - kToPeak;
  const whole = `${name} ${scaled(slope, 'B/s')}`;
  return s(
    'text',
    { class: 'roof-label', transform: `translate(${px},${py}) rotate(${angle})`, dy: -6 },
    whole.length * kLetter <= room ? whole : name.length * kLetter <= room ? name : '',
  );
}
