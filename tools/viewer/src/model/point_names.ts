// SPDX-License-Identifier: MIT
// Names beside the points of a plot, where there is room: none lies on another one, on a point, or beyond the frame.
export interface NamedPoint {
  /** Pixels. */
  x: number;
  y: number;
  name: string;
}

export interface PlacedName extends NamedPoint {
  side: 'right' | 'left';
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pixels: about that of a letter, of half a line, of half a mark, and from the point to its name. */
const kLetter = 6.6;
const kHalfLine = 7;
const kHalfMark = 6;
const kGap = 9;

function meets(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function boxOf({ x, y, name }: NamedPoint, side: PlacedName['side']): Box {
  const wide = name.length * kLetter;
  const left = side === 'right' ? x + kGap : x - kGap - wide;
  return { left, right: left + wide, top: y - kHalfLine, bottom: y + kHalfLine };
}

/** The names that fit between the edges `from` and `to`, from top to bottom; right of their point where both do. */
export function placedNames(points: NamedPoint[], from: number, to: number): PlacedName[] {
  const marks = points.map(({ x, y }) => ({
    left: x - kHalfMark,
    right: x + kHalfMark,
    top: y - kHalfMark,
    bottom: y + kHalfMark,
  }));
  const taken: Box[] = [];
  const placed: PlacedName[] = [];
  for (const point of [...points].sort((a, b) => a.y - b.y)) {
    const side = (['right', 'left'] as const).find((one) => {
      const box = boxOf(point, one);
      return box.left >= from && box.right <= to && ![...marks, ...taken].some((other) => meets(box, other));
    });
    if (side !== undefined) {
      taken.push(boxOf(point, side));
      placed.push({ ...point, side });
    }
  }
  return placed;
}
