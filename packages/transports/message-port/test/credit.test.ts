import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Connection } from '@rxmcp/transport';
import { connectionHandler, recording, type Recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { messagePort, serveMessagePort } from '../src/index.js';
import { measureMessage } from '../src/measure-message.js';

const note = (params: JsonObject) => ({ jsonrpc: '2.0', method: 'note', params }) as const;

/** Both ends of a channel, of which neither has long patience with the other. */
async function ends(served = {}): Promise<{ client: Connection; far: Recording; near: Recording }> {
  const { port1, port2 } = new MessageChannel();
  const [near, far] = [recording(), recording()];
  const handle = serveMessagePort(
    connectionHandler(() => far),
    port1,
    { writeTimeoutMs: 5_000, ...served },
  );
  onTestFinished(() => handle.close());
  const client = await messagePort(port2, { writeTimeoutMs: 5_000 }).dial();
  client.start(near);
  return { client, far, near };
}

const floats = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => -Math.sqrt(at + 2) / 1e9);
const escaped = '\u0001';
const kinds: readonly (readonly [string, (bytes: number) => JsonObject])[] = [
  ['floats', (bytes) => ({ values: floats(bytes / 23) })],
  ['text that is escaped', (bytes) => ({ text: escaped.repeat(bytes / 6) })],
  ['names that are escaped', (bytes) => ({ [escaped.repeat(bytes / 6)]: 0 })],
  ['nothing but structure', (bytes) => ({ values: Array.from({ length: bytes / 12 }, () => ({ a: null })) })],
  ['flags', (bytes) => ({ values: Array.from({ length: bytes / 6 }, () => false) })],
  ['short words', (bytes) => ({ words: Array.from({ length: bytes / 8 }, () => 'words') })],
];

test.each(kinds)('a message of 1.1 MiB of %s is taken', async (_, params) => {
  const { client, far, near } = await ends();
  await client.send(note(params(1_150_000)));
  await vi.waitUntil(() => far.messages.length + near.closeErrors.length > 0);
  expect(near.closeErrors).toEqual([]);
});

test.each(kinds)('a sender that waits each time continues for ever with 5 KiB of %s', async (_, params) => {
  const { client, far } = await ends();
  const message = note(params(5_000));
  for (let sent = 0; sent < 600; sent += 1) await client.send(message);
  await vi.waitUntil(() => far.messages.length === 600);
});

test('messages that are rejected as too large release their buffer space as well', async () => {
  const { client, far } = await ends({ maxMessageBytes: 100_000 });
  for (let sent = 0; sent < 20; sent += 1) await client.send(note({ text: 'x'.repeat(600_000) }));
  await vi.waitUntil(() => far.faults.length === 20);
  expect(far.closeErrors).toEqual([]);
});

test.each(kinds)('%s weigh a sixth of what they are as JSON, or more', (_, params) => {
  const message = note(params(60_000));
  const { length } = JSON.stringify(message);
  expect(measureMessage(message, length) * 6).toBeGreaterThanOrEqual(length);
});
