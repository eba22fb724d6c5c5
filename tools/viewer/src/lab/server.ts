// SPDX-License-Identifier: MIT
// Asks the server, at addresses below that of the page: the token is part of it.
import { obj, str } from '../data/read';
import type { Raw } from '../data/types';

export interface Said {
  ok: boolean;
  status: number;
  json: Raw;
  /** Why it was not done; empty when it was. */
  problem: string;
}

const kGone =
  'The server does not answer: has gpusim lab serve ended? Start it again and open the address that it prints.';

async function said(response: Promise<Response>): Promise<Said> {
  try {
    const got = await response;
    const json = obj(await got.json());
    const problem = got.ok ? '' : str(json.problem, `The server said ${got.status}.`);
    return { ok: got.ok, status: got.status, json, problem };
  } catch {
    return { ok: false, status: 0, json: {}, problem: kGone };
  }
}

export function get(place: string): Promise<Said> {
  return said(fetch(place));
}

/** `keepalive`: also when the page is left meanwhile. */
export function post(place: string, body: unknown = {}, keepalive = false): Promise<Said> {
  const text = JSON.stringify(body);
  return said(fetch(place, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text, keepalive }));
}
