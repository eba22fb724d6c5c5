// SPDX-License-Identifier: MIT
// The table of a picture, as a handout has it: words in the first line, numbers in all others. Without a script the
// table is what a reader sees, so it has all that the picture shows.

export interface PictureTable {
  /** Which picture: "race" of "race length=2048". */
  readonly kind: string;
  readonly settings: ReadonlyMap<string, number>;
  readonly rows: readonly (readonly number[])[];
}

function settingsOf(words: string[]): Map<string, number> {
  const settings = new Map<string, number>();
  for (const word of words) {
    const [, name, value] = /^([a-z]+)=(\d+(?:\.\d+)?)$/.exec(word) ?? [];
    if (name !== undefined) {
      settings.set(name, Number(value));
    }
  }
  return settings;
}

/** Rows of `columns` numbers, which may have commas between thousands; lines that are none are left out. */
function rowsOf(text: string, columns: number): number[][] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words.length >= columns)
    .map((words) =>
      words.slice(0, columns).map((word) => (/^[\d,.]+$/.test(word) ? Number(word.replace(/,/g, '')) : NaN)),
    )
    .filter((row) => row.every(Number.isFinite));
}

export function readTable(picture: string, text: string, columns: number): PictureTable {
  const [kind, ...words] = picture.split(/\s+/);
  return { kind, settings: settingsOf(words), rows: rowsOf(text, columns) };
}
