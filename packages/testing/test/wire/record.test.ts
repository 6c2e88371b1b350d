import type { JsonObject } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { describe, expect, it } from 'vitest';
import type { Connection, Receiver } from '../../src/in-process/in-process-link.js';
import { InProcessConnection } from '../../src/in-process/in-process-link.js';
import type { RecordOptions, Recording } from '../../src/index.js';
import { record, replayAsClient, replayAsServer, virtualTime } from '../../src/index.js';

const info = { name: 'x', version: '1.0.0' };

async function taken(options: RecordOptions): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const wait = (ms: unknown) => new Promise((resolve) => setTimeout(resolve, Number(ms)));
  const slow = offerMethod('own/slow', {}, async ({ ms }) => (await wait(ms), { password: 'p', told: 't' }));
  const serving = link.serve(defineServer({ info, offers: [slow] }));
  const wire = record(link, options);
  const remote = await time.run(defineClient({ info, versions: ['2025-11-25'] }).connect(wire.recorded));
  for (const ms of [50, 200]) {
    await time.run(once(remote.request('own/slow', { ms, apiKey: 'k', pin: { code: 1 } })));
  }
  await time.run(remote.close());
  await time.run(serving.close());
  return wire.recording();
}

it('keeps frames with their times, the same in every run', async () => {
  const recording = await taken({});
  expect(recording.lost).toBe(0);
  expect(recording.frames.map(({ at, type }) => `${at} ${type}`)).toEqual([
    '0 opened',
    ...['0 message', '0 message', '0 message', '0 message', '50 message', '50 message', '250 message'],
    '250 closed',
  ]);
  for (let run = 0; run < 20; run += 1) expect(await taken({})).toEqual(recording);
});

it('keeps no secrets, and replays without them', async () => {
  const recording = await taken({ redact: ['pin', /^tol/] });
  const text = JSON.stringify(recording);
  expect(text).not.toMatch(/"k"|"p"|"t"|"code":1/);
  const { transport, done } = replayAsServer(recording);
  const remote = await defineClient({ info, versions: ['2025-11-25'] }).connect(transport);
  const ask = (ms: number) => once(remote.request('own/slow', { ms, apiKey: 'other', pin: {} }));
  expect(await ask(50)).toMatchObject({ password: '<redacted>' });
  await ask(200);
  await remote.close();
  await done;
});

it('is bounded in frames and characters, and counts what it dropped', async () => {
  const all = await taken({});
  const few = await taken({ maxFrames: 5 });
  expect([few.frames, few.lost]).toEqual([all.frames.slice(0, 5), all.frames.length - 5]);
  const short = await taken({ maxMessageChars: 500 });
  expect(short.lost).toBeGreaterThan(0);
  expect(JSON.stringify(short.frames).length).toBeLessThan(1_500);
});

describe('values that a recording never keeps', () => {
  /** What is kept of a response. */
  async function kept(response: JsonObject, options: RecordOptions = {}): Promise<unknown> {
    const { frames } = await answered(response, options);
    const messages = frames.flatMap((frame) => (frame.type === 'message' ? [frame.message].flat() : []));
    return messages.find(({ id, result }) => id === 2 && result !== undefined)?.result;
  }
  async function answered(response: JsonObject, options: RecordOptions): Promise<Recording> {
    const link = memory();
    const serving = link.serve(defineServer({ info, offers: [offerMethod('own/x', {}, () => response)] }));
    const wire = record(link, options);
    const remote = await defineClient({ info, versions: ['2025-11-25'] }).connect(wire.recorded);
    await once(remote.request('own/x'));
    await remote.close();
    await serving.close();
    return wire.recording();
  }

  it.each([
    ...['password', 'userPassword', 'db_password', 'PASSWD', 'passphrase', 'password2', 'credentials'],
    ...[
      'Authorization',
      'proxy-authorization',
      'cookie',
      'cookies',
      'Set-Cookie',
      'jwt',
      'sessionId',
      'mcp-session-id',
    ],
    ...[
      'token',
      'authToken',
      'bearer_token',
      'sessionToken',
      'accesstoken',
      'id_token',
      'refresh-token',
      'tokens',
    ],
    ...[
      'apiKey',
      'apikey',
      'x-api-key',
      'XApiKey',
      'OPENAI_API_KEY',
      'accessKey',
      'privateKey',
      'AWS_SECRET_ACCESS_KEY',
    ],
    ...['secret', 'secretKey', 'clientsecret', 'SecretValue'],
  ])('what stands under %s', async (name) => {
    expect(await kept({ [name]: 'swordfish', deep: [{ [name]: { of: 'it' } }] })).toEqual({
      [name]: '<redacted>',
      deep: [{ [name]: '<redacted>' }],
    });
  });

  it.each<[string, unknown]>([
    ['a pair', { name: 'Authorization', value: 'Bearer b34r3r' }],
    ['a pair with a key', { key: 'api_key', value: 'abc' }],
  ])('the value of %s', async (_name, pair) => {
    expect(await kept({ headers: [pair] })).toEqual({
      headers: [{ ...(pair as object), value: '<redacted>' }],
    });
  });

  it.each([
    ['JSON', '{"user":"a","password":"swordfish"}'],
    ['JSON in JSON', JSON.stringify([{ text: '{"password":"swordfish"}' }])],
    ['an address with who calls', 'https://user:pa55@host/x'],
    ['a store with who calls', 'postgres://user:pa55@host/db'],
    ['an address with a token', 'https://host/x?a=1&access_token=abc'],
    ['an address with a key', '/maps?key=abc'],
    ['an address with a signature', 'https://host/x?X-Amz-Signature=abc'],
    ['an address with a token behind it', 'https://host/x#id_token=abc'],
  ])('a text that is %s', async (_name, text) => {
    const content = [{ type: 'text', text }];
    expect(await kept({ content })).toEqual({ content: [{ type: 'text', text: '<redacted>' }] });
  });

  it('but all else', async () => {
    const response = {
      usage: { maxTokens: 100, token_count: 3, tokenType: 'Bearer', hasPassword: true, password: null },
      authorization_endpoint: 'https://host/authorize?scope=a#top',
      schema: { type: 'object', properties: { password: { type: 'string' }, token: { default: 'none' } } },
      items: [
        {
          id: 1,
          name: 'password',
          key: 'k',
          requestId: 'r',
          keyboard: 'us',
          secretary: 'Bo',
          nextCursor: 'c',
        },
      ],
      texts: [
        '{"a":1}',
        '[1, 2]',
        '{no json',
        'a?b#c',
        'https://host/x?q=1&token=',
        'mailto:a@host',
        'my token is old',
      ],
      _meta: { progressToken: 'p1' },
    };
    expect(await kept(response)).toEqual(response);
    expect(await kept(response, { redact: [/^items$/] })).toEqual({ ...response, items: '<redacted>' });
  });

  it('equals anything in a replay', async () => {
    const withPassword = (password: string): JsonObject => ({
      content: [{ type: 'text', text: JSON.stringify({ password }) }],
      structuredContent: { password },
    });
    const recording = await answered(withPassword('swordfish'), {});
    expect(JSON.stringify(recording)).not.toContain('swordfish');
    const server = defineServer({ info, offers: [offerMethod('own/x', {}, () => withPassword('other'))] });
    await replayAsClient(recording, server);
  });
});

it('passes on invalid messages, also on the way of a request', async () => {
  const [end] = InProcessConnection.pair();
  let carried: Receiver | undefined;
  const connection: Connection = {
    traits: end.traits,
    start: (receiver) => void (carried = receiver),
    send: (out) => end.send(out),
    endLane: () => end.endLane(),
    close: () => end.close(),
  };
  const wire = record({ name: 'carried', dial: () => Promise.resolve(connection) });
  const { start } = await wire.recorded.dial({ signal: new AbortController().signal });
  const seen: unknown[] = [];
  start({
    received: (message) => void seen.push(message),
    laneClosed: () => undefined,
    fault: () => undefined,
    closed: () => undefined,
  });
  for (const message of [null, 1, [null]]) carried?.received(message, { lane: {} });
  expect(wire.recording().frames.map((frame) => 'lane' in frame && frame.lane)).toEqual([false, 1, 2, 3]);
  expect(seen).toEqual([null, 1, [null]]);
  expect(
    wire.recording().frames.flatMap((frame) => (frame.type === 'message' ? [frame.message] : [])),
  ).toEqual(seen);
});

it('keeps nothing that is known of the caller', async () => {
  const link = memory();
  const serving = link.serve(defineServer({ info, offers: [] }));
  const wire = record({
    name: 'known',
    dial: async () => {
      const connection = await link.dial();
      const caller = { principal: 'ada', claims: { tenant: 'acme' }, scopes: ['orders'] };
      const known: Connection = {
        traits: { ...connection.traits, ...caller },
        start: (receiver) => connection.start(receiver),
        send: (message, options) => connection.send(message, options),
        endLane: (lane) => connection.endLane(lane),
        close: () => connection.close(),
      };
      return known;
    },
  });
  const connection = await wire.recorded.dial();
  expect(wire.recording().frames[0]).toMatchObject({ type: 'opened' });
  expect(JSON.stringify(wire.recording())).not.toMatch(/ada|acme|orders/);
  await connection.close();
  await serving.close();
});
