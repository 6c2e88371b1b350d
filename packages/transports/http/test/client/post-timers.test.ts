import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dialled } from './recording.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const notification = { jsonrpc: '2.0', method: 'x/told', params: {} } as const;

it.each([
  ['accepted', () => Promise.resolve(new Response(null, { status: 202 }))],
  ['answered with a text', () => Promise.resolve(new Response('fine', { status: 200 }))],
  ['rejected', () => Promise.resolve(new Response('no', { status: 400 }))],
  ['not sent', () => Promise.reject(new TypeError('fetch failed'))],
])('a notification that is %s leaves no timer', async (_how, fetch) => {
  const client = await dialled('http://localhost/mcp', { fetch });
  await client.connection.send(notification).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  await client.connection.close();
});
