// SPDX-License-Identifier: MIT
// Pictures that answer to a reader, before the tables of a handout that say what they show.
import { hierarchy } from './hierarchy';
import { kHierarchyColumns } from './hierarchy_model';
import { race } from './race';
import { kRaceColumns } from './race_model';
import { readTable, type PictureTable } from './table';

interface Kind {
  readonly columns: number;
  readonly draw: (table: PictureTable) => HTMLElement | null;
}

const kKinds: Readonly<Record<string, Kind>> = {
  hierarchy: { columns: kHierarchyColumns, draw: hierarchy },
  race: { columns: kRaceColumns, draw: race },
};

/** A table of an unknown kind stays a table. */
export function addPictures(handout: ParentNode): void {
  for (const block of handout.querySelectorAll<HTMLElement>('pre[data-picture]')) {
    const picture = block.dataset.picture ?? '';
    const [kind] = picture.split(/\s+/);
    if (!Object.hasOwn(kKinds, kind)) {
      continue;
    }
    const element = kKinds[kind].draw(readTable(picture, block.textContent ?? '', kKinds[kind].columns));
    if (element !== null) {
      block.before(element);
    }
  }
}
