// SPDX-License-Identifier: MIT
// Reads values of unknown shape: what is missing or of another type becomes a default, never an exception.
import type { Counts, Raw } from './types';

export function obj(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

export function arr(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function num(value: unknown, otherwise = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

export function numOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Marks that change the direction of the text behind them, so that code reads as other code. */
const kDirections = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A text with U+FFFD in place of marks of direction. */
export function str(value: unknown, otherwise = ''): string {
  if (typeof value === 'string') {
    return value.replace(kDirections, '\uFFFD');
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : otherwise;
}

export function nums(value: unknown): number[] {
  return arr(value).map((item) => num(item));
}

export function strs(value: unknown): string[] {
  return arr(value).map((item) => str(item));
}

/** The numbers of an object, by key. Without a prototype, so that a key such as "constructor" is only a key. */
export function counts(value: unknown): Counts {
  const result = Object.create(null) as Counts;
  for (const [key, item] of Object.entries(obj(value))) {
    if (typeof item === 'number' && Number.isFinite(item)) {
      result[key] = item;
    }
  }
  return result;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) {
    total += value;
  }
  return total;
}
