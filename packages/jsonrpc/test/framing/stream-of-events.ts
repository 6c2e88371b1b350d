import { SseReader } from '../../src/internal.js';

/** What a reader said: an event as its parts, a fault as its code between angle brackets. */
export function readEvents(chunks: readonly Uint8Array[], maxBytes = 10_000): unknown[] {
  const said: unknown[] = [];
  const reader = new SseReader({
    maxEventBytes: maxBytes,
    onEvent: (event) => said.push(event),
    onFault: (error) => said.push(`<${error.code}>`),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return said;
}
