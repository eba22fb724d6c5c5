// SPDX-License-Identifier: MIT
// Numbers as text. Sizes are decimal, as in the profiler.

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Whole numbers in full, others with so many significant digits that a reader can compare them. */
export function plain(value: number | null, digits = 2): string {
  if (value === null || !Number.isFinite(value)) {
    return 'n/a';
  }
  if (Number.isInteger(value) || Math.abs(value) >= 10_000) {
    return whole(value);
  }
  if (value > 0 && value < 1e-4) {
    return '<0.0001';
  }
  if (value !== 0 && Math.abs(value) < 0.01) {
    return value.toPrecision(digits);
  }
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function pct(value: number | null, digits = 1): string {
  if (value === null || !Number.isFinite(value)) {
    return 'n/a';
  }
  return `${value.toFixed(digits)} %`;
}

export function share(part: number, all: number): string {
  return pct(all > 0 ? (100 * part) / all : 0);
}

const kPrefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** 12,300,000 with "B" as "12.3 MB". */
export function scaled(value: number, unit = ''): string {
  if (!Number.isFinite(value)) {
    return 'n/a';
  }
  let step = 0;
  let rest = Math.abs(value);
  while (rest >= 999.5 && step < kPrefixes.length - 1) {
    rest /= 1000;
    ++step;
  }
  const digits = rest >= 99.95 || Number.isInteger(rest) ? 0 : rest >= 9.995 ? 1 : 2;
  const number = rest !== 0 && rest < 0.01 ? rest.toPrecision(2) : rest.toFixed(digits);
  return `${value < 0 ? '-' : ''}${number} ${kPrefixes[step]}${unit}`.trim();
}

export const bytes = (value: number): string => scaled(value, 'B');

/** Microseconds, in the unit that reads best. */
export function time(us: number): string {
  if (us >= 1e6) {
    return `${plain(us / 1e6)} s`;
  }
  return us >= 1000 ? `${plain(us / 1000)} ms` : `${plain(us)} us`;
}

export function dims(values: number[]): string {
  return values.length > 0 ? `(${values.join(', ')})` : 'n/a';
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

export function signed(value: number | null, digits = 1): string {
  if (value === null || !Number.isFinite(value)) {
    return 'n/a';
  }
  const text = Math.abs(value).toFixed(digits);
  const sign = Number(text) === 0 ? '' : value > 0 ? '+' : '-';
  return `${sign}${text} %`;
}

/** Text of at most so many letters; what is cut off is marked. */
export function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 4).trimEnd()} ...` : text;
}
