// SPDX-License-Identifier: MIT
// A launch to click through: a row of CTAs, the warps of one, the lanes of one of these.
import { button, h } from '../../ui/dom';
import { describe, lanesOf, launchOf, warpsOf, type Chosen, type Launch } from './hierarchy_model';
import type { PictureTable } from './table';

/** Moves the focus within a level: arrows by one, Home and End. */
function moveFocus(level: HTMLElement, event: KeyboardEvent): void {
  const cells = [...level.querySelectorAll('button')];
  const at = cells.indexOf(document.activeElement as HTMLButtonElement);
  const targets: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: cells.length - 1,
  };
  const target = cells[targets[event.key] ?? -1];
  if (at >= 0 && target !== undefined) {
    event.preventDefault();
    target.focus();
  }
}

class Hierarchy {
  readonly element = h('section', { class: 'picture hierarchy', 'aria-label': 'Grid, CTA, warp and lane' });
  private readonly words = h('p', { class: 'picture-words', 'aria-live': 'polite' });
  private readonly levels = h('div');
  private chosen: Chosen = { cta: null, warp: null, lane: null };

  constructor(private readonly launch: Launch) {
    this.element.append(this.levels, this.words);
    this.choose(this.chosen);
  }

  private choose(chosen: Chosen): void {
    this.chosen = chosen;
    this.words.textContent = describe(this.launch, chosen);
    const { cta, warp } = chosen;
    const before = this.focused();
    this.levels.replaceChildren(
      this.level('Grid', this.launch.ctas.length, 'CTA', chosen.cta, (i) => ({ cta: i, warp: null, lane: null })),
      ...(cta === null
        ? []
        : [this.level(`CTA ${cta}`, warpsOf(this.launch), 'Warp', chosen.warp, (i) => ({ cta, warp: i, lane: null }))]),
      ...(cta === null || warp === null
        ? []
        : [
            this.level(
              `Warp ${warp}`,
              lanesOf(this.launch, warp).length,
              'Lane',
              chosen.lane,
              (i) => ({ cta, warp, lane: i }),
              lanesOf(this.launch, warp),
            ),
          ]),
    );
    this.focus(before);
  }

  /** A row of buttons, one of which is reached by the tabulator key. */
  private level(
    title: string,
    count: number,
    what: string,
    chosen: number | null,
    choice: (i: number) => Chosen,
    has: readonly boolean[] = [],
  ): HTMLElement {
    const cells = Array.from({ length: count }, (_, i) =>
      button(String(i), () => this.choose(choice(i)), {
        class: has[i] === false ? 'cell no-thread' : 'cell',
        'aria-label': `${what} ${i}${has[i] === false ? ', without a thread' : ''}`,
        'aria-pressed': i === chosen ? 'true' : 'false',
        tabindex: i === (chosen ?? 0) ? '0' : '-1',
      }),
    );
    const level = h(
      'div',
      { class: 'level', role: 'group', 'aria-label': title },
      h('span', { class: 'level-title' }, `${title}:`),
      h('span', { class: 'cells' }, ...cells),
    );
    level.addEventListener('keydown', (event) => moveFocus(level, event));
    return level;
  }

  /** Level and cell of the button that has the focus. */
  private focused(): [number, number] | null {
    const levels = [...this.levels.children];
    const row = levels.findIndex((level) => level.contains(document.activeElement));
    return row < 0
      ? null
      : [row, [...levels[row].querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement)];
  }

  private focus(place: [number, number] | null): void {
    if (place !== null) {
      this.levels.children[place[0]].querySelectorAll('button')[place[1]]?.focus();
    }
  }
}

/** Null where the table has no launch. */
export function hierarchy(table: PictureTable): HTMLElement | null {
  const launch = launchOf(table);
  return launch.ctas.length > 0 && launch.threads > 0 ? new Hierarchy(launch).element : null;
}
