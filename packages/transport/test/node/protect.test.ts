import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import type { Authenticator } from '../../src/guard.js';
import type { HttpListener } from '../../src/node.js';
import { protect } from '../../src/node/internal.js';
import type { ProtectOptions } from '../../src/node/protect.js';

const url = 'https://mcp.example/mcp';
const none = { method: 'POST', target: '/mcp', secure: true, headerValues: () => [] };
const request = { headers: {} } as IncomingMessage;
const response = { shouldKeepAlive: true } as ServerResponse;

function authOf(name: string) {
  return {
    authenticate: Object.assign(() => ({ principal: name }), {
      challengeFor: (scopes: readonly string[]) => `${name} ${scopes.join()}`,
    }),
    nodeMetadata: vi.fn(() => true),
  };
}

const listener = (): HttpListener => ({ stop: vi.fn(() => Promise.resolve()) }) as unknown as HttpListener;

it('without "auth" the options stay as they are', async () => {
  const options = { authenticate: () => ({ principal: 'ada' }) };
  const protection = protect('serveX', options);
  expect(protection.options).toBe(options);
  await protection.begin(url, listener());
  expect(protection.metadata(request, response)).toBe(false);
});

it('with "auth" its callers are authenticated, and its metadata is served', () => {
  const auth = authOf('ada');
  const { options, metadata } = protect<ProtectOptions>('serveX', { auth });
  expect(options.authenticate?.(none)).toEqual({ principal: 'ada' });
  expect(options.authenticate?.challengeFor?.(['a', 'b'])).toBe('ada a,b');
  expect(metadata(request, response)).toBe(true);
  expect(response.shouldKeepAlive).toBe(true);
  const inChunks = { headers: { 'transfer-encoding': 'chunked' } } as IncomingMessage;
  auth.nodeMetadata.mockReturnValue(false);
  expect(metadata(inChunks, response)).toBe(false);
  expect(response.shouldKeepAlive).toBe(true);
  const rejected = { shouldKeepAlive: true } as ServerResponse;
  auth.nodeMetadata.mockReturnValue(true);
  expect(metadata(inChunks, rejected)).toBe(true);
  expect(rejected.shouldKeepAlive).toBe(false);
});

it('with "auth" its authenticator gets the address of the client', () => {
  const authenticate: Authenticator = (head, clientAddress) => ({ principal: clientAddress?.(head) ?? '' });
  const { options } = protect<ProtectOptions>('serveX', { auth: { ...authOf('ada'), authenticate } });
  expect(options.authenticate?.(none, () => '192.0.2.1')).toEqual({ principal: '192.0.2.1' });
});

it('a function makes "auth" for the URL of the listener, and callers get 503 before', async () => {
  const auth = vi.fn(authOf);
  const { options, begin, metadata } = protect<ProtectOptions>('serveX', { auth });
  expect(options.authenticate?.(none)).toEqual({ status: 503 });
  expect(options.authenticate?.challengeFor?.([])).toBeUndefined();
  expect(metadata(request, response)).toBe(false);
  await begin(url, listener());
  expect(options.authenticate?.(none)).toEqual({ principal: url });
  expect(auth.mock.calls).toEqual([[url]]);
});

it('a listener whose "auth" cannot be made is stopped', async () => {
  const auth = (): never => {
    throw new TypeError('no issuer');
  };
  const stopped = listener();
  await expect(protect<ProtectOptions>('serveX', { auth }).begin(url, stopped)).rejects.toThrow('no issuer');
  expect(stopped.stop).toHaveBeenCalledOnce();
});

it('"auth" and "authenticate" exclude each other', () => {
  const { authenticate } = authOf('ada');
  expect(() => protect('serveX', { auth: authOf('ada'), authenticate })).toThrow(
    'serveX: "auth" has an "authenticate". Pass one of the two',
  );
});
