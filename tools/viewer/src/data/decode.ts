// SPDX-License-Identifier: MIT
// The data block of the page: base64 of the gzip of JSON.

export const kSchema = 'gpusim.page/1';

/** A page that cannot be shown, with what the reader can do about it. */
export class PageProblem extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

/** The JSON of a data block. A block that is damaged anywhere is a PageProblem. */
export async function decode(block: string): Promise<unknown> {
  const base64 = block.trim();
  if (base64 === '' || base64.startsWith('@')) {
    throw new PageProblem(
      'This page holds no result.',
      'It is the empty viewer. Let gpusim write a page with a result in it: gpusim ... --html FILE.',
    );
  }
  const damaged = 'The file is incomplete or was changed. Write it again, or copy it again from where it came from.';
  let text: string;
  try {
    text = await unzip(bytesOf(base64));
  } catch {
    throw new PageProblem('The data of this page cannot be unpacked.', damaged);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PageProblem('The data of this page ends early or is not JSON.', damaged);
  }
}
