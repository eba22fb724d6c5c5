// SPDX-License-Identifier: MIT
// A table of any length: only the rows in sight are nodes. Arrow keys move the selection.
import { h, type Child } from './dom';
import { scrollBox } from './scroll';

export interface GridColumn<Row> {
  key: string;
  label: string;
  title?: string;
  /** A CSS width for the grid's columns. */
  width: string;
  numeric?: boolean;
  sortable?: boolean;
  cell: (row: Row) => Child;
}

export interface GridOptions<Row> {
  label: string;
  columns: GridColumn<Row>[];
  rowHeight?: number;
  height?: string;
  onSelect?: (row: Row, place: number) => void;
  onKey?: (event: KeyboardEvent, row: Row | null) => boolean;
  onSort?: (key: string) => void;
}

function leastRem<Row>(column: GridColumn<Row>): number {
  return Number(/[\d.]+(?=rem)/.exec(column.width)?.[0] ?? 0);
}

/** The sum of the columns' least widths, so that every row is equally wide whatever it holds. */
function leastWidth<Row>(columns: GridColumn<Row>[]): string {
  const sum = columns.reduce((total, column) => total + leastRem(column), 0);
  return `${sum + 0.55 * columns.length + 1}rem`;
}

// Browsers cannot make an element as high as a million rows; beyond this height, scrolling is scaled.
const kMostPixels = 8_000_000;
const kPrintedRows = 150;
/** The style sheet hides the others on paper. */
const kPrintedColumns = 10;
let grids = 0;

export class Grid<Row> {
  readonly element: HTMLElement;
  /** What stands in the view: the table with a hint where it goes on. */
  readonly box: HTMLElement;
  private readonly head: HTMLElement;
  private readonly body: HTMLElement;
  private readonly id = `grid${++grids}`;
  private readonly rowHeight: number;
  private columns: GridColumn<Row>[] = [];
  private rows: Row[] = [];
  private selected = -1;
  private pending = 0;

  constructor(private readonly options: GridOptions<Row>) {
    this.rowHeight = options.rowHeight ?? 24;
    this.head = h('div', { class: 'grid-head', role: 'row' });
    this.body = h('div', { class: 'grid-body', role: 'rowgroup' });
    this.element = h(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabindex: '0',
        'aria-label': options.label,
        style: { height: options.height ?? '28rem' },
      },
      h('div', { role: 'rowgroup', class: 'grid-top' }, this.head),
      this.body,
    );
    this.setColumns(options.columns);
    this.box = scrollBox(this.element);
    this.element.addEventListener('scroll', () => this.schedule());
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-place]');
      if (row !== null) {
        this.select(Number(row.dataset.place));
      }
    });
    new ResizeObserver(() => this.schedule()).observe(this.element);
  }

  private heading(column: GridColumn<Row>): HTMLElement {
    const content =
      column.sortable === true
        ? h(
            'button',
            { type: 'button', title: column.title, on: { click: () => this.options.onSort?.(column.key) } },
            column.label,
          )
        : h('span', { title: column.title }, column.label);
    return h(
      'div',
      {
        role: 'columnheader',
        class: column.numeric ? 'number' : undefined,
        'data-key': column.key,
      },
      content,
    );
  }

  /** Other columns, from the next rows on. The focus stays on the heading that has it. */
  setColumns(columns: GridColumn<Row>[]): void {
    this.columns = columns;
    const focused = [...this.head.children].find((head) => head.contains(document.activeElement));
    const key = focused?.getAttribute('data-key');
    this.head.replaceChildren(...columns.map((column) => this.heading(column)));
    const { style } = this.element;
    style.setProperty('--columns', columns.map((column) => column.width).join(' '));
    // Paper does not scroll: columns share its width.
    const printed = columns.slice(0, kPrintedColumns).map((column) => `minmax(0, ${leastRem(column) || 1}fr)`);
    style.setProperty('--print-columns', printed.join(' '));
    style.setProperty('--least', leastWidth(columns));
    this.element.setAttribute('aria-colcount', String(columns.length));
    [...this.head.children]
      .find((head) => head.getAttribute('data-key') === key)
      ?.querySelector('button')
      ?.focus();
  }

  /** Shows other rows, of which none is selected. */
  setRows(rows: Row[]): void {
    this.rows = rows;
    this.selected = -1;
    this.element.removeAttribute('aria-activedescendant');
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.body.style.height = `${Math.min(rows.length * this.rowHeight, kMostPixels)}px`;
    this.draw();
  }

  setSort(key: string, descending: boolean): void {
    for (const head of this.head.children) {
      const own = head.getAttribute('data-key') === key;
      if (own) {
        head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      } else {
        head.removeAttribute('aria-sort');
      }
    }
  }

  /** Selects a row and brings it into sight. */
  select(place: number, tell = true): void {
    if (place < 0 || place >= this.rows.length) {
      return;
    }
    this.selected = place;
    this.reveal(place);
    this.draw();
    this.element.setAttribute('aria-activedescendant', `${this.id}-${place}`);
    if (tell) {
      this.options.onSelect?.(this.rows[place], place);
    }
  }

  /** Rows in view, the heading left out. */
  private get inSight(): number {
    return Math.max(1, Math.floor((this.element.clientHeight - this.head.offsetHeight) / this.rowHeight));
  }

  /** Scrolled pixels to rows; 1 row is rowHeight pixels unless the table is too high for that. */
  private get rowsPerPixel(): number {
    const most = this.rows.length - this.inSight;
    const pixels = this.body.offsetHeight - (this.element.clientHeight - this.head.offsetHeight);
    return pixels > 0 && this.rows.length * this.rowHeight > kMostPixels ? most / pixels : 1 / this.rowHeight;
  }

  private reveal(place: number): void {
    const first = this.element.scrollTop * this.rowsPerPixel;
    if (place < Math.ceil(first)) {
      this.element.scrollTop = place / this.rowsPerPixel;
    } else if (place >= Math.floor(first) + this.inSight) {
      this.element.scrollTop = (place - this.inSight + 1) / this.rowsPerPixel;
    }
  }

  private schedule(): void {
    if (this.pending === 0) {
      this.pending = requestAnimationFrame(() => {
        this.pending = 0;
        this.draw();
      });
    }
  }

  draw(): void {
    const printing = document.documentElement.classList.contains('printing');
    const exact = this.element.scrollTop * this.rowsPerPixel;
    const first = printing ? 0 : Math.max(0, Math.floor(exact) - 4);
    const last = Math.min(this.rows.length, printing ? kPrintedRows : first + this.inSight + 10);
    const top = this.element.scrollTop - (exact - first) * this.rowHeight;
    const nodes: HTMLElement[] = [];
    for (let i = first; i < last; ++i) {
      nodes.push(this.row(i, top + (i - first) * this.rowHeight));
    }
    this.body.replaceChildren(...nodes);
    const { length } = this.columns;
    const cut = [
      ...(last < this.rows.length ? [`${last} of ${this.rows.length} rows`] : []),
      ...(length > kPrintedColumns ? [`${kPrintedColumns} of ${length} columns`] : []),
    ];
    if (printing && cut.length > 0) {
      this.body.append(h('p', { class: 'note' }, `The first ${cut.join(' and ')} are printed.`));
    }
  }

  private row(place: number, top: number): HTMLElement {
    const row = this.rows[place];
    return h(
      'div',
      {
        role: 'row',
        id: `${this.id}-${place}`,
        class: place === this.selected ? 'grid-row selected' : 'grid-row',
        'aria-rowindex': place + 2,
        'aria-selected': place === this.selected ? 'true' : 'false',
        'data-place': place,
        style: { top: `${top}px`, height: `${this.rowHeight}px` },
      },
      ...this.columns.map((column) =>
        h('div', { role: 'gridcell', class: column.numeric ? 'number' : undefined }, column.cell(row)),
      ),
    );
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: this.inSight,
      PageUp: -this.inSight,
      Home: -Infinity,
      End: Infinity,
    };
    if (event.key in steps) {
      this.select(Math.max(0, Math.min(this.rows.length - 1, this.selected + steps[event.key])));
      event.preventDefault();
    } else if (this.options.onKey?.(event, this.rows[this.selected] ?? null) === true) {
      event.preventDefault();
    }
  }
}
