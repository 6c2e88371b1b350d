import { describe, expect, it } from 'vitest';
import type { Context, Fault } from '../../src/index.js';
import { defineClient, offerMethod } from '../../src/index.js';
import { askingTool } from '../rig/asking-tool.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

/** A name that fills a log, steers a terminal and turns the direction of what follows. */
const evil = `\u001b[2J\u0007\u202e\n${'x'.repeat(1_000_000)}`;
const unprintable = /[\p{Cc}\p{Bidi_Control}]/u;

function expectPrintable(text: unknown, most = 400): void {
  expect(typeof text).toBe('string');
  expect((text as string).length).toBeLessThan(most);
  expect(text).not.toMatch(unprintable);
}

function expectFaults(faults: readonly Fault[], codes: readonly string[]): void {
  expect(faults.map(({ code }) => code)).toEqual(codes);
  for (const { message } of faults) expectPrintable(message, 1_500);
}

describe('text that a client chose, in messages of a server', () => {
  const oldAnswer = async (frame: object): Promise<Frame> => {
    const client = rawClient([]);
    await client.shake();
    return client.ask({ id: 1, ...frame });
  };
  const meta = modernMeta();

  it.each([
    ['an unknown method', () => oldAnswer({ method: evil })],
    ['a method before the handshake', () => rawClient([]).ask({ id: 1, method: evil })],
    ['a method with a broken `_meta`', () => oldAnswer({ method: evil, params: { _meta: 1 } })],
    ['an unknown method of the modern era', () => rawClient([]).modern(1, evil)],
    [
      'a method without the claims of the modern era',
      () =>
        rawClient([]).ask({
          id: 1,
          method: evil,
          params: { _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': 1 } },
        }),
    ],
    ['a log level', () => oldAnswer({ method: 'logging/setLevel', params: { level: evil } })],
  ])('is short and printable for %s', async (_name, ask) => {
    expectPrintable((await ask()).error?.message);
  });

  it('the version of an unsupported request is echoed in short', async () => {
    const params = { _meta: modernMeta({ 'io.modelcontextprotocol/protocolVersion': evil }) };
    const { error } = await rawClient([]).ask({ id: 1, method: 'x', params });
    expect(error?.code).toBe(-32022);
    expectPrintable(error?.message);
    expect(String(error?.data?.['requested']).length).toBeLessThan(200);
    const plain = { _meta: modernMeta({ 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }) };
    const other = await rawClient([]).ask({ id: 1, method: 'x', params: plain });
    expect(other.error?.data?.['requested']).toBe('2031-01-01');
  });

  it('is short and printable in faults', async () => {
    const client = rawClient([]);
    client.put({ jsonrpc: '2.0', method: evil });
    client.put({ jsonrpc: '2.0', id: '\u202eevil\u001b', result: {} });
    await turn();
    expectFaults(client.faults, ['UNKNOWN_NOTIFICATION', 'UNKNOWN_RESPONSE']);
  });

  it('is short and printable in the fault and the refusal of an id that is in flight', async () => {
    const client = rawClient([offerMethod('x/y', {}, () => new Promise(() => undefined))]);
    await client.shake();
    for (const id of ['\u202e\u001b', '\u202e\u001b']) client.put({ jsonrpc: '2.0', id, method: 'x/y' });
    const refusal = (await client.take()).find((f) => f.error !== undefined);
    expectPrintable(refusal?.error?.message);
    expectFaults(client.faults, ['DUPLICATE_ID']);
  });

  it('is short and printable in the fault of a handler that repeats it', async () => {
    const client = rawClient([
      offerMethod('x/y', {}, ({ name }) => Promise.reject(new Error(`no file ${String(name)}`))),
    ]);
    await client.shake();
    await client.ask({ id: 1, method: 'x/y', params: { name: evil } });
    expectFaults(client.faults, ['HANDLER_FAILED']);
    expect(client.faults[0]?.message).toContain('no file ');
  });

  it('is short and printable in the reason that a cancelled handler sees', async () => {
    let reason: Error | undefined;
    const client = rawClient([
      offerMethod('x/y', {}, (_params, ctx: Context) => {
        ctx.signal.addEventListener('abort', () => (reason = ctx.signal.reason as Error));
        return new Promise(() => undefined);
      }),
    ]);
    await client.shake();
    client.put({ jsonrpc: '2.0', id: 1, method: 'x/y' });
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: evil } });
    await turn();
    expectPrintable(reason?.message);
    expect(reason?.message).toContain('was cancelled by its caller');
  });

  it('is short and printable in what a handler receives of a user who declined', async () => {
    let heard: Error | undefined;
    const tool = askingTool(async (ask) => {
      await ask().catch((error: Error) => (heard = error));
      return {};
    });
    const client = rawClient([tool]);
    await client.shake('2025-11-25', { roots: {} });
    client.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    const asked = (await client.take()).find(({ method }) => method === 'roots/list')?.id;
    client.put({ jsonrpc: '2.0', id: asked, error: { code: -1, message: evil } });
    await turn();
    expect(heard).toMatchObject({ code: 'ASK_REJECTED' });
    expectPrintable(heard?.message);
  });
});

describe('text that a server chose, in why a client does not open', () => {
  const failure = (script: (frame: Frame) => object | undefined, eras: ('legacy' | 'modern')[]) =>
    defineClient({ info: { name: 'c', version: '1' }, eras })
      .connect(rawServer(script, { era: 'own' }))
      .then(
        () => undefined,
        (error: Error) => error,
      );

  it('the version of a handshake', async () => {
    const result = { protocolVersion: evil, capabilities: {}, serverInfo: { name: 's', version: '1' } };
    const error = await failure(
      ({ method }) => (method === 'initialize' ? { result } : undefined),
      ['legacy'],
    );
    expect(error).toMatchObject({ code: 'NO_COMMON_VERSION' });
    expectPrintable(error?.message);
  });

  it('the versions of a modern server, however many and whatever they are', async () => {
    const supportedVersions = [evil, { deep: evil }, ...Array.from({ length: 10_000 }, (_, i) => `v${i}`)];
    const result = { resultType: 'complete', supportedVersions, capabilities: {} };
    const error = await failure(() => ({ result }), ['modern']);
    expect(error).toMatchObject({ code: 'NO_COMMON_VERSION' });
    expectPrintable(error?.message);
    expect(JSON.stringify((error as { data?: unknown }).data).length).toBeLessThan(10_000);
  });

  it('a legacy revision that comes late in a long list is still found', async () => {
    const supportedVersions = [...Array.from({ length: 300 }, (_, i) => `v${i}`), '2025-11-25'];
    const server = rawServer(
      ({ method }) => {
        if (method === 'server/discover')
          return { result: { resultType: 'complete', supportedVersions, capabilities: {} } };
        if (method !== 'initialize') return undefined;
        return { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } };
      },
      { era: 'own' },
    );
    const remote = await connected(server);
    expect(remote.version).toBe('2025-11-25');
  });
});
