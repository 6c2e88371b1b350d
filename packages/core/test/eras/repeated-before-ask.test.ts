import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/index.js';
import { sendAsk } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { offering, revisions } from '../rig/revisions.js';

const roots = (ctx: Context, key: string) =>
  sendAsk(ctx, key, { method: 'roots/list', needs: { roots: {} } });

/** Calls the tool "book" and answers each ask of it. Returns the codes and texts of the faults. */
async function booked(
  version: string,
  handle: (ctx: Context) => Promise<void>,
  calls = 1,
  watchFaults = true,
): Promise<{ faults: { code: string; message: string }[]; end: Frame | undefined }> {
  const client = rawClient(
    [
      offering({
        'tools/call': async (_params, ctx) => {
          await handle(ctx);
          return {};
        },
      }),
    ],
    { watchFaults },
  );
  const able = { roots: {} };
  if (version === '2026-07-28') {
    const meta = modernMeta({ progressToken: 'p' }, able);
    let end: Frame | undefined;
    for (let id = 1, call = 0; call < calls; call += 1) {
      let more = {};
      do {
        const params = { name: 'book', ...more, _meta: meta };
        end = await client.ask({ id: (id += 1), method: 'tools/call', params });
        const { requestState, inputRequests = {} } = end.result as {
          requestState?: string;
          inputRequests?: object;
        };
        const answers = Object.keys(inputRequests).map((key) => [key, { roots: [] }] as const);
        more = { requestState, inputResponses: Object.fromEntries(answers) };
      } while (end.result?.['resultType'] === 'input_required');
    }
    return { faults: client.faults, end };
  }
  await client.shake(version, able);
  client.put({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'book', _meta: { progressToken: 'p' } },
  });
  let end: Frame | undefined;
  const answered = new Set<unknown>();
  while (end === undefined) {
    for (const { id, method } of await client.take()) {
      if (method === 'roots/list' && !answered.has(id)) {
        answered.add(id);
        client.put({ jsonrpc: '2.0', id, result: { roots: [] } });
      } else if (id === 1) end = client.sent.find((frame) => frame.id === 1 && frame.method === undefined);
    }
  }
  return { faults: client.faults, end };
}

const repeating: readonly (readonly [string, string, (ctx: Context) => void])[] = [
  ['a notification', 'the notification "acme/began"', (ctx) => ctx.notify('acme/began', { at: 'desk' })],
  ['progress', 'progress', (ctx) => ctx.progress(1, 2)],
];

describe.each(revisions)('a handler that asks at %s', (version) => {
  const isModern = version === '2026-07-28';

  it.each(repeating)('and sends %s before it', async (_what, named, send) => {
    const { faults, end } = await booked(version, async (ctx) => {
      send(ctx);
      await roots(ctx, 'a');
    });
    expect(end).toHaveProperty('result');
    expect(faults).toEqual(
      isModern
        ? [
            {
              code: 'REPEATED_BEFORE_ASK',
              message:
                `the handler of tools/call "book" sends ${named} before its first ask, again in each run: put it into ` +
                'ctx.step(key, fn), or do it only if ctx.round is 1',
            },
          ]
        : [],
    );
  });

  it.each(repeating)(
    'and sends %s in a step, in its first run, or after the ask',
    async (_what, _n, send) => {
      const { faults } = await booked(version, async (ctx) => {
        await ctx.step('sent', () => send(ctx));
        await roots(ctx, 'a');
      });
      const { faults: guarded } = await booked(version, async (ctx) => {
        if (ctx.round === 1) send(ctx);
        await roots(ctx, 'a');
      });
      const { faults: after } = await booked(version, async (ctx) => {
        await roots(ctx, 'a');
        send(ctx);
        await roots(ctx, 'b');
      });
      expect([...faults, ...guarded, ...after]).toEqual([]);
    },
  );

  it('and sends something else in each run, or only logs', async () => {
    const { faults } = await booked(version, async (ctx) => {
      ctx.notify('acme/run', { round: ctx.round });
      ctx.progress(ctx.round);
      ctx.log('info', 'begins');
      await roots(ctx, 'a');
    });
    expect(faults).toEqual([]);
  });

  it('and sends without an ask in the same call', async () => {
    const { faults } = await booked(version, async (ctx) => {
      ctx.notify('acme/began');
      ctx.progress(1);
      return Promise.resolve();
    });
    expect(faults).toEqual([]);
  });
});

describe('the warning', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is printed once per handler and thing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const handle = (method: string) => async (ctx: Context) => {
      ctx.notify(method);
      await roots(ctx, 'a');
      await roots(ctx, 'b');
    };
    const [began, paid] = [handle('acme/began'), handle('acme/paid')];
    let call = 0;
    // The first two calls begin, the third pays.
    await booked(
      '2026-07-28',
      (ctx) => ((call += ctx.round === 1 ? 1 : 0) < 3 ? began : paid)(ctx),
      3,
      false,
    );
    expect(warn.mock.calls.map(([text]) => /sends the notification "[^"]+"/.exec(String(text))?.[0])).toEqual(
      ['sends the notification "acme/began"', 'sends the notification "acme/paid"'],
    );
  });
});
