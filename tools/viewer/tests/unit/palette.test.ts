// SPDX-License-Identifier: MIT
// Colours can be seen on the panel in both themes, and told apart by readers who see two of three colours.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kSeriesColours, kStateColours, stateHex, type Theme } from '../../src/ui/palette';
import { kStates } from '../data/states';

type Three = [number, number, number];

/** sRGB to linear light, each in 0 to 1. */
function linear(hex: string): Three {
  return [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Three;
}

function dot(row: readonly number[], values: Three): number {
  return row[0] * values[0] + row[1] * values[1] + row[2] * values[2];
}

/** WCAG 2.2: 1 for equal colours, 21 for black on white. */
function contrast(a: string, b: string): number {
  const [low, high] = [a, b].map((hex) => dot([0.2126, 0.7152, 0.0722], linear(hex))).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Machado, Oliveira and Fernandes (2009), full severity, in linear light: none, protan, deutan, tritan. */
const kEyes = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

/** Ottosson's OKLab, in which distances are about as large as they look. */
function oklab(rgb: Three): Three {
  const cones = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(dot(row, rgb))) as Three;
  return [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ].map((row) => dot(row, cones)) as Three;
}

function seen(hex: string): Three[] {
  const rgb = linear(hex);
  return kEyes.map((eye) => oklab(eye.map((row) => Math.min(1, Math.max(0, dot(row, rgb)))) as Three));
}

/** The distance of the nearest two, for the eye that tells them apart worst. */
function nearest(colours: string[]): number {
  const all = colours.map(seen);
  const distances = all.flatMap((a, i) =>
    all.slice(i + 1).map((b) => Math.min(...a.map((lab, eye) => Math.hypot(...lab.map((x, k) => x - b[eye][k]))))),
  );
  return Math.min(...distances);
}

/** What the style sheet fills panels with. */
function panelOf(theme: Theme): string {
  const style = readFileSync('src/base.css', 'utf8');
  const part = theme === 'dark' ? style.slice(style.indexOf('[data-theme="dark"]')) : style;
  return /--card: (#[0-9a-f]{6})/.exec(part)?.[1] ?? '';
}

for (const theme of ['light', 'dark'] as const) {
  test(`in ${theme}, every colour has a contrast of 3 or more to the panel`, () => {
    const panel = panelOf(theme);
    assert.match(panel, /^#/);
    const colours: [string, string][] = [
      ...kStates.map((key): [string, string] => [key, stateHex(key, theme)]),
      ['another state', stateHex('of a later version', theme)],
      ...kSeriesColours[theme].map((hex, i): [string, string] => [`series ${i}`, hex]),
    ];
    const weak = colours.filter(([, hex]) => contrast(hex, panel) < 3);
    assert.deepEqual(weak, []);
  });

  test(`in ${theme}, colours differ for every eye`, () => {
    assert.ok(nearest(Object.values(kStateColours).map((of) => of[theme])) > 0.045);
    assert.ok(nearest([...kSeriesColours[theme]]) > 0.08);
  });
}

test('every state has a colour of its own', () => {
  assert.deepEqual(Object.keys(kStateColours).sort(), [...kStates].sort());
});
