import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fetchHandler, type HttpHandlerOptions } from '../../src/fetch.js';
import { messagesIn, modern } from './calls.js';
import { Desk } from './desk.js';

async function told(
  options: HttpHandlerOptions,
  params: Record<string, unknown>,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const handler = fetchHandler(new Desk(), options);
  onTestFinished(() => handler.close());
  const response = await handler(new Request('http://localhost/mcp', modern('tell', params)));
  return (response.body as ReadableStream<Uint8Array>).getReader();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('fault 13: a client that reads the web stream slowly, but reads, is not cut', async () => {
  const count = 1_000;
  const reader = await told({ writeTimeoutMs: 250 }, { count, pad: 'x'.repeat(4_096) });
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; at += 1) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    if (at % 10 === 0) await pause(200);
  }
  expect(messagesIn(Buffer.concat(chunks).toString())).toHaveLength(count + 1);
});

it('fault 13: a client that takes a large message slowly is not cut', async () => {
  const reader = await told({ writeTimeoutMs: 250 }, { count: 4, pad: 'x'.repeat(600_000) });
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    await pause((value.byteLength / 65_536) * 200);
  }
  expect(bytes).toBeGreaterThan(2_400_000);
});

it('fault 13: unsent data after the end of a web stream is dropped when it is not read', async () => {
  const reader = await told({ writeTimeoutMs: 200 }, { count: 1, pad: 'x'.repeat(600_000) });
  await pause(700);
  await expect(
    (async () => {
      for (let done: boolean | undefined = false; done !== true;) ({ done } = await reader.read());
    })(),
  ).rejects.toThrow('was not read');
});
