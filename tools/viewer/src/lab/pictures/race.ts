// SPDX-License-Identifier: MIT
// One core against one GPU, with the times of a simulation: played, or moved through by hand.
import { button, choice, h } from '../../ui/dom';
import { chainsOf, describe, endOf, raceOf, standingAt, type Race } from './race_model';
import type { PictureTable } from './table';

const kPlayedMs = 5000;
const kSteps = 200;

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

class RacePicture {
  readonly element = h('section', { class: 'picture race', 'aria-label': 'A core against a GPU' });
  private readonly words = h('p', { class: 'picture-words', role: 'status' });
  private readonly slider = h('input', {
    type: 'range',
    min: '0',
    max: String(kSteps),
    value: '0',
    'aria-label': 'Time',
  });
  private readonly core = h('div', { class: 'lane-box' });
  private readonly sms = h('div', { class: 'lane-box' });
  private readonly play: HTMLButtonElement;
  private launch = 0;
  /** Counts what was played, so that an older one stops. */
  private playing = 0;

  constructor(private readonly race: Race) {
    this.play = button('Play', () => this.toggle());
    this.slider.addEventListener('input', () => {
      this.stop();
      this.draw();
    });
    const launches = race.launches.map(({ ctas, threads }, i): [string, string] => [
      String(i),
      `${ctas} ${ctas === 1 ? 'CTA' : 'CTAs'} of ${threads}: ${(ctas * threads).toLocaleString('en-US')} chains`,
    ]);
    this.element.append(
      h(
        'div',
        { class: 'controls' },
        choice('Launch', launches, '0', (value) => this.choose(Number(value))),
        this.play,
        this.slider,
      ),
      h(
        'div',
        { class: 'track' },
        h('p', { class: 'track-title' }, `One core of a CPU, ${race.coreChains} chains at once`),
        this.core,
      ),
      h('div', { class: 'track' }, h('p', { class: 'track-title' }, `A GPU: ${race.sms} SMs`), this.sms),
      this.words,
    );
    this.draw();
  }

  private choose(launch: number): void {
    this.stop();
    this.launch = launch;
    this.slider.value = '0';
    this.draw();
  }

  private stop(): void {
    this.playing += 1;
    this.play.textContent = 'Play';
  }

  private toggle(): void {
    const isPlaying = this.play.textContent === 'Stop';
    this.stop();
    if (isPlaying) {
      return;
    }
    if (isCalm()) {
      this.slider.value = String(kSteps);
      this.draw();
      return;
    }
    this.play.textContent = 'Stop';
    const from = Number(this.slider.value) >= kSteps ? 0 : Number(this.slider.value);
    const run = this.playing;
    const begin = performance.now();
    const step = (now: number): void => {
      if (run !== this.playing || !this.element.isConnected) {
        return;
      }
      const at = from + (Math.max(0, now - begin) / kPlayedMs) * kSteps;
      this.slider.value = String(Math.min(kSteps, at));
      this.draw();
      if (at < kSteps) {
        requestAnimationFrame(step);
      } else {
        this.stop();
      }
    };
    requestAnimationFrame(step);
  }

  private draw(): void {
    const launch = this.race.launches[this.launch];
    const us = (endOf(launch) * Number(this.slider.value)) / kSteps;
    const at = standingAt(this.race, launch, us);
    this.core.replaceChildren(cell(at.core));
    this.sms.replaceChildren(...at.sms.map(cell));
    // A reader hears how it stands when it stands still, not sixty times a second.
    const words = describe(this.race, launch, us);
    this.words.setAttribute('aria-live', this.play.textContent === 'Stop' ? 'off' : 'polite');
    this.words.textContent = words;
    this.slider.setAttribute('aria-valuetext', words);
  }
}

/** How much of its work is done; dashed without work. */
function cell(share: number | null): HTMLElement {
  return share === null
    ? h('div', { class: 'fill-cell idle' })
    : h(
        'div',
        { class: share >= 1 ? 'fill-cell done' : 'fill-cell' },
        h('div', { class: 'fill', style: { height: `${share * 100}%` } }),
      );
}

/** Null where the table has no launch. */
export function race(table: PictureTable): HTMLElement | null {
  const all = raceOf(table);
  const isWhole =
    all.launches.length > 0 && all.launches.every((each) => chainsOf(each) > 0 && each.gpuUs > 0 && each.coreUs > 0);
  return isWhole && all.sms > 0 && all.coreChains > 0 ? new RacePicture(all).element : null;
}
