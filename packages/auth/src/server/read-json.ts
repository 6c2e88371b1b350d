import type { JsonObject } from '@rxmcp/core';

const longestBytes = 256 * 1024;
const withinMs = 5_000;

/** Fetches a JSON object of at most 256 KiB within 5 s; follows no redirect. Rejects otherwise. */
export async function readJson(url: string, init: RequestInit = {}): Promise<JsonObject> {
  const { origin } = new URL(url);
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(withinMs),
  });
  const failed = (why: string): Error => new Error(`fetching from "${origin}" failed: ${why}`);
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw failed(`status ${String(response.status)}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > longestBytes) throw failed(`more than ${String(longestBytes)} bytes`);
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(await new Blob(chunks as BlobPart[]).text());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw failed('not a JSON object');
  return value as JsonObject;
}
