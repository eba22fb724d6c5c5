// SPDX-License-Identifier: MIT
// Colours of warp states and of series, in both themes: each has a contrast of 3 or more to the panel, and all differ
// for readers who see two of three colours, as tests/unit/palette.test.ts computes. One hue a cause.

export type Theme = 'light' | 'dark';

export const kStateColours: Record<string, Record<Theme, string>> = {
  drain: { light: '#152d52', dark: '#6680bd' },
  membar: { light: '#35569d', dark: '#4c6f9e' },
  long_scoreboard: { light: '#1367c4', dark: '#1c88ef' },
  lg_throttle: { light: '#2a93f9', dark: '#48b5fc' },
  tex_throttle: { light: '#5f89da', dark: '#95e0fe' },
  short_scoreboard: { light: '#ab4806', dark: '#d35808' },
  mio_throttle: { light: '#c98200', dark: '#eca91d' },
  barrier: { light: '#957700', dark: '#f0f058' },
  sleeping: { light: '#4b4b01', dark: '#bf9201' },
  math_pipe_throttle: { light: '#b65ba4', dark: '#cb92d4' },
  gmma: { light: '#892a79', dark: '#9b46c5' },
  wait: { light: '#b081b9', dark: '#ebc6de' },
  dispatch_stall: { light: '#6b444e', dark: '#98849e' },
  no_instruction: { light: '#646464', dark: '#7d7d7d' },
  branch_resolving: { light: '#777777', dark: '#a1a1a1' },
  imc_miss: { light: '#919191', dark: '#bababa' },
  misc: { light: '#373737', dark: '#6d6d6d' },
  selected: { light: '#0c9250', dark: '#01b16e' },
  not_selected: { light: '#709c6a', dark: '#bce1b1' },
};

const kOther: Record<Theme, string> = { light: '#767676', dark: '#8a8a8a' };

export const kSeriesColours: Record<Theme, readonly string[]> = {
  light: ['#1f5fae', '#bd3d00', '#239276', '#b37aba', '#d77902', '#0295fa', '#6d245b', '#636363'],
  dark: ['#009ffe', '#ea6209', '#369f5a', '#c486b7', '#efb52d', '#89d3ff', '#a147b2', '#757575'],
};

const known = (key: string) => Object.hasOwn(kStateColours, key);

/** The colour of a state, for style sheets: it follows the theme by itself. */
export function stateColour(key: string): string {
  return `var(--state-${known(key) ? key : 'other'})`;
}

/** The same as #rrggbb, for canvases. */
export function stateHex(key: string, theme: Theme): string {
  return (known(key) ? kStateColours[key] : kOther)[theme];
}

/** Colours of series that are no warp states, for style sheets. */
export const kColours = kSeriesColours.light.map((_, i) => `var(--series-${i})`);

/** Gives the variables of the style sheet the colours of a theme. */
export function setPalette(style: CSSStyleDeclaration, theme: Theme): void {
  for (const key of Object.keys(kStateColours)) {
    style.setProperty(`--state-${key}`, stateHex(key, theme));
  }
  style.setProperty('--state-other', kOther[theme]);
  kSeriesColours[theme].forEach((hex, i) => style.setProperty(`--series-${i}`, hex));
}
