// SPDX-License-Identifier: MIT
// Numbers stay on the line of their unit.

const kBeforeUnit = /(\d) (?=(?:%|[munkKMGTPE]?i?(?:B|B\/s|s|Hz|FLOPs?|FLOP\/s))(?![\w/]))/g;

/** The text with a space that does not break between a number and its unit. */
export function withUnits(text: string): string {
  return text.replace(kBeforeUnit, '$1\u00a0');
}
