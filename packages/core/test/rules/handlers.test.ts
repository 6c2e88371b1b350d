import { concat, finalize, NEVER, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Context, HandlerResult } from '../../src/index.js';
import { RxmcpError, offerMethod, progressItem, RpcError } from '../../src/index.js';
import { crashes } from '../rig/crashes.js';
import { rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

type Handler = (params: object, ctx: Context) => HandlerResult<Record<string, unknown>>;

const served = (handler: Handler) => rawClient([offerMethod('x/y', {}, handler), ping]);
const ping = offerMethod('x/ping', {}, () => ({ ok: true }));

describe('row 68: whatever a handler throws, the caller gets a general text and the log the details', () => {
  const thrown: [string, unknown][] = [
    ['an error', new Error('secret')],
    ['a string', 'secret'],
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('secret')],
    ['an object without a prototype', Object.create(null)],
    [
      'an object that cannot be printed',
      {
        toString: () => {
          throw new Error('secret');
        },
      },
    ],
    [
      'an error of another remote',
      new RxmcpError('TIMEOUT', 'secret upstream "x/y"', { outcome: 'unknown' }),
    ],
  ];
  const ways: [string, (error: unknown) => Handler][] = [
    [
      'thrown',
      (e) => () => {
        throw e;
      },
    ],
    [
      'rejected',
      (e) => async () => {
        await Promise.resolve();
        throw e;
      },
    ],
    ['emitted', (e) => () => throwError(() => e) as never],
  ];
  it.each(thrown.flatMap(([what, e]) => ways.map(([way, make]) => [what, way, make(e)] as const)))(
    '%s, %s',
    async (_what, _way, handler) => {
      const seen = crashes();
      const client = served(handler);
      const { error } = await client.modern(1, 'x/y');
      expect(error?.code).toBe(-32603);
      expect(JSON.stringify(error)).not.toContain('secret');
      const reference = /reference ([0-9a-f]{8})/.exec(error?.message ?? '')?.[1];
      expect(client.faults).toMatchObject([{ code: 'HANDLER_FAILED', reference }]);
      expect((await client.modern(2, 'x/ping')).result).toMatchObject({ ok: true });
      await turn();
      expect(seen).toEqual([]);
    },
  );

  it('an RpcError is sent as its author wrote it, data included', async () => {
    const client = served(() => {
      throw new RpcError(-31999, 'mine', { why: 'so' });
    });
    expect((await client.modern(1, 'x/y')).error).toEqual({
      code: -31999,
      message: 'mine',
      data: { why: 'so' },
    });
    expect(client.faults).toEqual([]);
  });
});

describe('a handler that ends incorrectly', () => {
  it.each<[string, Handler]>([
    ['ends empty', () => of<never>()],
    ['gives undefined', () => undefined as never],
    ['gives a string', () => 'text' as never],
    ['gives an array', () => [1, 2] as never],
    ['gives null later', async () => null as never],
    [
      'is an empty generator',
      async function* () {
        /* nothing */
      } as never,
    ],
    ['reports only', () => of(progressItem(1)) as never],
  ])('%s: an error, and the connection stays open', async (_what, handler) => {
    const client = served(handler);
    expect((await client.modern(1, 'x/y')).error?.code).toBe(-32603);
    expect((await client.modern(2, 'x/ping')).result).toMatchObject({ ok: true });
    expect(client.faults.map((f) => f.code)).toEqual(['NO_RESULT']);
  });

  it('emits after its result: one response', async () => {
    const client = served(() => of({ n: 1 }, { n: 2 }));
    expect((await client.modern(1, 'x/y')).result).toMatchObject({ n: 1 });
    expect(await client.take()).toHaveLength(1);
  });

  it('fails after its result: one response', async () => {
    const client = served(() =>
      concat(
        of({ n: 1 }),
        throwError(() => new Error('late')),
      ),
    );
    expect((await client.modern(1, 'x/y')).result).toMatchObject({ n: 1 });
    expect(await client.take()).toHaveLength(1);
  });

  it('returns a result that is not JSON: an error, not silence', async () => {
    const client = served(() => ({ big: 1n }) as never);
    expect((await client.modern(1, 'x/y')).error?.code).toBe(-32603);
  });
});

describe('a teardown that throws', () => {
  const fail = (): never => {
    throw new Error('teardown');
  };
  const throwing: Handler = () => concat(Promise.resolve({ n: 1 }), NEVER).pipe(finalize(fail));

  it('after the result: the response arrives, a fault reports the rest', async () => {
    const seen = crashes();
    const client = served(throwing);
    expect((await client.modern(1, 'x/y')).result).toMatchObject({ n: 1 });
    await turn();
    expect(client.faults.map((f) => f.code)).toEqual(['HANDLER_FAILED']);
    expect(seen).toEqual([]);
  });

  it('on cancel: a fault, and the connection stays open', async () => {
    const seen = crashes();
    const client = served(() => NEVER.pipe(finalize(fail)));
    client.put({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await client.shake();
    client.put({ jsonrpc: '2.0', id: 2, method: 'x/y' });
    await turn();
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    expect((await client.ask({ id: 3, method: 'x/ping' })).result).toMatchObject({ ok: true });
    expect(client.faults.map((f) => f.code)).toEqual(['HANDLER_FAILED']);
    expect(seen).toEqual([]);
  });

  it('of an iterator: the response arrives', async () => {
    const seen = crashes();
    const iterable = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: { n: 1 } }),
        return: () => {
          throw new Error('teardown');
        },
      }),
    };
    const client = served(() => iterable as never);
    expect((await client.modern(1, 'x/y')).result).toMatchObject({ n: 1 });
    await turn();
    expect(seen).toEqual([]);
  });
});

it('a handler that never ends is torn down when its connection ends, and its signal aborts', async () => {
  let torn = 0;
  let aborted = 0;
  const client = served((_params, ctx) => {
    ctx.signal.addEventListener('abort', () => (aborted += 1));
    return NEVER.pipe(finalize(() => void (torn += 1)));
  });
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/y', params: { _meta: meta } });
  await turn();
  expect([torn, aborted]).toEqual([0, 0]);
  client.end();
  await client.served.closed;
  expect([torn, aborted]).toEqual([1, 1]);
});

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
