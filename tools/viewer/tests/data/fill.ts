// SPDX-License-Identifier: MIT
// Puts data into the built viewer, as the program does.
import { gzipSync } from 'node:zlib';

export function block(page: unknown): string {
  return gzipSync(JSON.stringify(page), { level: 1 }).toString('base64');
}

export function fill(viewer: string, data: string): string {
  const parts = viewer.split('@GPUSIM_DATA@');
  if (parts.length !== 2) {
    throw new Error('the viewer must hold the mark of the data exactly once');
  }
  return parts.join(data);
}
