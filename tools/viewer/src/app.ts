// SPDX-License-Identifier: MIT
// The frame of the page: what is selected, the tabs, the keys, printing, and the address that remembers all of it.
import { readAddress } from './address';
import type { Page } from './data/types';
import { plural, short } from './model/format';
import { listed, longestAt } from './model/kernels';
import { button, choice, h, heading } from './ui/dom';
import { showHelp } from './ui/help';
import { hideTip } from './ui/tooltip';
import { applyTheme, startTheme, toggleTheme } from './ui/theme';
import type { Context, Handle, Place, Target, View } from './ui/view';
import { viewsOf } from './views/all';

interface Tab {
  view: View;
  tab: HTMLButtonElement;
  panel: HTMLElement;
  handle: Handle | null;
  /** What the view is to show when it is made again. */
  place: Place | null;
}

/** How long the view may move on before the address follows: browsers allow few changes of it a second. */
const kAddressAfterMs = 250;

export class App {
  private readonly tabs: Tab[];
  private readonly live = h('div', { class: 'hidden', 'aria-live': 'polite' });
  private readonly header = h('header', { class: 'top' });
  private current: Tab;
  private run = 0;
  private kernel = 0;
  private pending = 0;

  constructor(
    private readonly page: Page,
    private readonly root: HTMLElement,
  ) {
    this.tabs = viewsOf(page).map((view) => this.makeTab(view));
    this.current = this.tabs[0];
    this.kernel = longestAt(page.runs[0]?.kernels ?? []);
  }

  start(): void {
    startTheme(() => this.redraw());
    const skip = h('a', { class: 'skip', href: '#main' }, 'Skip to the view');
    skip.addEventListener('click', (event) => {
      event.preventDefault();
      this.current.panel.focus();
    });
    const list = h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'Views' },
      ...this.tabs.map((tab) => tab.tab),
    );
    list.addEventListener('keydown', (event) => this.tabKey(event));
    this.root.replaceChildren(
      skip,
      this.header,
      h('nav', { 'aria-label': 'Views' }, list),
      h('main', { id: 'main' }, ...this.tabs.map((tab) => tab.panel)),
      this.live,
    );
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('hashchange', () => this.follow());
    this.watchPrinting();
    this.watchWidth();
    this.drawHeader();
    this.follow();
    this.writeAddress('replace');
  }

  private makeTab(view: View): Tab {
    const tab = h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${view.id}`,
        'aria-controls': `panel-${view.id}`,
        'aria-selected': 'false',
        tabindex: '-1',
        on: { click: (event: MouseEvent) => this.clicked(view, event) },
      },
      view.label,
    );
    const panel = h('div', {
      class: 'view',
      role: 'tabpanel',
      id: `panel-${view.id}`,
      'aria-labelledby': `tab-${view.id}`,
      tabindex: '-1',
      hidden: true,
    });
    return { view, tab, panel, handle: null, place: null };
  }

  private context(): Context {
    const run = this.page.runs[this.run];
    return {
      page: this.page,
      run,
      kernel: run?.kernels[this.kernel],
      go: (target) => this.go(target),
      announce: (text) => {
        this.live.textContent = text;
      },
      moved: () => {
        this.pending ||= window.setTimeout(() => this.writeAddress('replace'), kAddressAfterMs);
      },
    };
  }

  private drawHeader(): void {
    const run = this.page.runs[this.run];
    const { length } = this.page.runs;
    const { app, sweep } = this.page;
    const title = app?.name ?? sweep?.title ?? (length > 1 ? `Comparison of ${length} results` : run.title);
    document.title = `${short(title || run?.trace || 'result', 200)} - gpusim`;
    const facts = run
      ? [
          length > 1 ? `${this.page.comparison?.runs[this.run]?.name ?? run.name}: ${run.title}` : '',
          run.arch,
          run.trace,
        ]
          .filter((text) => text !== '')
          .join(' · ')
      : app !== null
        ? `${app.system} · ${plural(app.rounds, 'round')}`
        : 'sweep';
    const controls = h('div', { class: 'controls' });
    if (this.page.runs.length > 1) {
      controls.append(
        choice(
          'Run',
          this.page.runs.map((item, i) => [String(i), short(item.name, 80)]),
          String(this.run),
          (value) => this.go({ run: Number(value) }),
        ),
      );
    }
    if (run && run.kernels.length > 1) {
      controls.append(
        choice(
          'Kernel',
          listed(run.kernels, this.kernel).map((at) => [String(at), `${at}: ${short(run.kernels[at].name, 60)}`]),
          String(this.kernel),
          (value) => this.go({ kernel: Number(value) }),
        ),
      );
    }
    controls.append(
      button(
        'Theme',
        () => {
          const chosen = toggleTheme();
          this.redraw();
          this.live.textContent = `${chosen} theme`;
        },
        { title: 'Dark or light (t)' },
      ),
      button('Keys', () => this.help(), { title: 'List of keys (?)' }),
    );
    this.header.replaceChildren(
      h(
        'div',
        { class: 'brand' },
        h('h1', {}, heading(title || 'gpusim')),
        h('p', {}, heading(facts), h('span', { class: 'version' }, `gpusim ${this.page.version}`)),
      ),
      controls,
    );
  }

  private go(target: Target, remember = true): void {
    hideTip();
    if (remember) {
      this.writeAddress('replace');
    }
    const run = target.run ?? this.run;
    const kernels = this.page.runs[run]?.kernels ?? [];
    const kernel = target.kernel ?? (run === this.run ? this.kernel : longestAt(kernels));
    const runChanged = run !== this.run || kernel !== this.kernel;
    if (runChanged && kernel >= 0 && kernel < kernels.length) {
      this.run = run;
      this.kernel = kernel;
      this.drawHeader();
      this.tabs.forEach((tab) => {
        tab.place = tab.view.ofPage === true ? (tab.handle?.place?.() ?? tab.place) : null;
        tab.handle = null;
      });
    }
    const next = this.tabs.find((tab) => tab.view.id === target.view) ?? this.current;
    if (target.place !== undefined) {
      next.place = target.place;
      next.handle?.restore?.(target.place);
    }
    this.show(next);
    if (target.index !== undefined || target.line !== undefined) {
      this.current.handle?.focus?.(target);
    }
    if (remember) {
      this.writeAddress('push');
    }
  }

  /** Goes where the address leads: the keys of its view work at once. */
  private follow(): void {
    const target = readAddress(this.tabs.map((tab) => tab.view.id));
    this.go(target, false);
    if (target.view !== undefined) {
      this.enter();
    }
  }

  /** A pointer leaves the focus in the view, keys and screen readers leave it on the tab, where arrows go on. */
  private clicked(view: View, event: MouseEvent): void {
    this.go({ view: view.id });
    if (event instanceof PointerEvent && event.pointerType !== '') {
      this.enter();
    }
  }

  /** Gives the focus to what takes the keys of the shown view; false where nothing does. */
  private enter(): boolean {
    const main = this.current.handle?.main?.();
    main?.focus({ preventScroll: true });
    this.current.tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return main !== undefined;
  }

  private show(next: Tab): void {
    this.current = next;
    for (const tab of this.tabs) {
      const own = tab === next;
      tab.tab.setAttribute('aria-selected', String(own));
      tab.tab.tabIndex = own ? 0 : -1;
      tab.panel.hidden = !own;
    }
    this.render(next);
  }

  private render(tab: Tab): void {
    if (tab.handle !== null) {
      return;
    }
    const context = this.context();
    tab.panel.replaceChildren(h('h2', { class: 'view-title' }, tab.view.label));
    if (context.kernel === undefined && tab.view.ofPage !== true) {
      tab.panel.append(
        h('p', { class: 'missing' }, 'This result holds no kernel: the run was stopped before one ended.'),
      );
      tab.handle = {};
      return;
    }
    tab.handle = tab.view.render(context, tab.panel);
    if (tab.place !== null) {
      tab.handle.restore?.(tab.place);
    }
  }

  private redraw(): void {
    for (const tab of this.tabs) {
      if (!tab.panel.hidden || document.documentElement.classList.contains('printing')) {
        tab.handle?.redraw?.();
      } else {
        tab.place = tab.handle?.place?.() ?? tab.place;
        tab.handle = null;
      }
    }
  }

  private watchWidth(): void {
    let width = this.root.clientWidth;
    new ResizeObserver(() => {
      if (Math.abs(this.root.clientWidth - width) > 4) {
        width = this.root.clientWidth;
        this.redraw();
      }
    }).observe(this.root);
  }

  private watchPrinting(): void {
    const set = (printing: boolean) => {
      if (document.documentElement.classList.contains('printing') === printing) {
        return;
      }
      document.documentElement.classList.toggle('printing', printing);
      applyTheme();
      if (printing) {
        this.tabs.forEach((tab) => this.render(tab));
      }
      this.root.querySelectorAll<HTMLDetailsElement>('details.open-in-print').forEach((details) => {
        details.open = printing;
      });
      this.redraw();
    };
    window.addEventListener('beforeprint', () => set(true));
    window.addEventListener('afterprint', () => set(false));
    matchMedia('print').addEventListener('change', (event) => set(event.matches));
  }

  /** Writes what is shown into the address; 'push' leaves the place before it to the button Back. */
  private writeAddress(how: 'push' | 'replace'): void {
    window.clearTimeout(this.pending);
    this.pending = 0;
    const values = new URLSearchParams({ view: this.current.view.id });
    if (this.page.runs.length > 1) {
      values.set('run', String(this.run));
    }
    if (this.page.runs.length > 0) {
      values.set('kernel', String(this.kernel));
    }
    for (const [key, value] of Object.entries(this.current.handle?.place?.() ?? {})) {
      values.set(key, value);
    }
    const address = `#${values.toString()}`;
    if (address === location.hash) {
      return;
    }
    try {
      if (how === 'push') {
        history.pushState(null, '', address);
      } else {
        history.replaceState(null, '', address);
      }
    } catch {
      // Where the page may not change its address, it still works.
    }
  }

  private tabKey(event: KeyboardEvent): void {
    const place = this.tabs.indexOf(this.current);
    const places: Record<string, number> = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      Home: 0,
      End: this.tabs.length - 1,
    };
    if (event.key in places) {
      const next = this.tabs[(places[event.key] + this.tabs.length) % this.tabs.length];
      this.go({ view: next.view.id });
      next.tab.focus();
      event.preventDefault();
    }
  }

  private key(event: KeyboardEvent): void {
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
      return;
    }
    const tab = this.tabs.find((item) => item.view.key === event.key);
    if (tab !== undefined) {
      this.go({ view: tab.view.id });
      if (!this.enter()) {
        tab.tab.focus();
      }
    } else if (event.key === '?') {
      this.help();
    } else if (event.key === 't') {
      toggleTheme();
      this.redraw();
    } else {
      this.pass(event);
      return;
    }
    event.preventDefault();
  }

  /** Letters and signs reach the view from where they mean nothing; other keys switch tabs there, or scroll. */
  private pass(event: KeyboardEvent): void {
    const idle = event.target === document.body || this.tabs.some((item) => item.tab === event.target);
    if (idle && event.key.length === 1) {
      this.current.handle?.key?.(event);
    }
  }

  private help(): void {
    const own = this.current.view;
    showHelp([
      [
        'Everywhere',
        [
          ...this.tabs.map((tab): [string, string] => [tab.view.key, tab.view.label]),
          ['← →', 'the next tab, when a tab has the focus'],
          ['t', 'dark or light'],
          ['?', 'this list'],
        ],
      ],
      ...(own.keys ? [[own.label, own.keys] as [string, [string, string][]]] : []),
    ]);
  }
}
