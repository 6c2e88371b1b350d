import type { JsonObject } from '@rxmcp/core';
import { defaultFetch } from '@rxmcp/transport/internal';
import { readText } from '../base/read-text.js';

const withinMs = 5_000;

/** Fetches a JSON object of at most 256 KiB within 5 s; follows no redirect. Rejects otherwise. */
export async function readJson(url: string, init: RequestInit = {}): Promise<JsonObject> {
  const { origin } = new URL(url);
  const failed = (why: string): Error => new Error(`fetching from "${origin}" failed: ${why}`);
  // Node may collect the signal of `AbortSignal.timeout` while a body is read, which then has no limit.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(failed(`no response within ${String(withinMs)} ms`)), withinMs);
  try {
    const response = await defaultFetch(url, { ...init, redirect: 'error', signal: limit.signal });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw failed(`status ${String(response.status)}`);
    }
    const tooLarge = (maxBytes: number): Error => failed(`more than ${String(maxBytes)} bytes`);
    const value: unknown = JSON.parse(await readText(response.body, limit.signal, tooLarge));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw failed('not a JSON object');
    return value as JsonObject;
  } finally {
    clearTimeout(timer);
  }
}
