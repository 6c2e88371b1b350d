import type { Context, JsonObject } from '@rxmcp/core';
import { once } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import type { ConnectedPairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ElicitUrlHandler } from '../src/index.js';
import { elicitUrl, offerElicitation, describeUrl } from '../src/index.js';

const message = 'Connect your account.';
const url = 'https://example.com/connect?state=7';

const pair = (
  version: string,
  handler: ConnectedPairOptions['handler'],
  client: ConnectedPairOptions['client'] = [],
) => connectedPair({ version, handler, client, link: memory(), onCleanup: onTestFinished });
const asking = (version: string, answer: ElicitUrlHandler) =>
  pair(version, async (ctx) => ({ answer: await elicitUrl(ctx, 'connect', { message, url }) }), [
    offerElicitation({ url: answer }),
  ]);

describe.each(['2026-07-28', '2025-11-25'] as const)('a url at %s', (version) => {
  it('is shown completely, and the answer is consent only', async () => {
    const handler = vi.fn<ElicitUrlHandler>(() => ({ action: 'accept', content: { key: 'x' } }) as never);
    const { run, remote } = await asking(version, handler);
    const sent: JsonObject[] = [];
    remote.wire$.subscribe(({ direction, message: out }) => direction === 'out' && sent.push(out as never));
    expect(await run()).toMatchObject({ answer: { action: 'accept' } });
    const [request, ctx] = handler.mock.calls[0]!;
    expect(request).toMatchObject({ message, url, host: 'example.com', warnings: [] });
    expect(ctx.caller.info?.name).toBe('test');
    expect(JSON.stringify(sent)).not.toContain('content');
  });

  it.each(['decline', 'cancel'] as const)('accepts %s as an answer', async (action) => {
    const { run } = await asking(version, async () => ({ action }));
    expect(await run()).toMatchObject({ answer: { action } });
  });

  it('sends no invalid answer', async () => {
    const { run } = await asking(version, () => 'yes' as never);
    await expect(run()).rejects.toThrow(/action\\?" is undefined/);
  });

  it.each([{}, { form: {} }])('is never sent to a client that declares %j', async (elicitation) => {
    const offer = defineOffer({
      ...offerElicitation(() => ({ action: 'cancel' })),
      capabilities: { elicitation },
    });
    const { remote } = await pair(
      version,
      async (ctx) => ({ said: await elicitUrl(ctx, 'k', { message, url }) }),
      [offer as never],
    );
    const error: unknown = await once(remote.request('tools/call', {})).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: version === '2026-07-28' ? -32021 : -31002,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
  });

  it('may hold an id that stays the same in all rounds', async () => {
    const shown = vi.fn<ElicitUrlHandler>(() => ({ action: 'accept' }));
    const made: string[] = [];
    const { run } = await pair(
      version,
      async (ctx) => {
        const answer = await elicitUrl(ctx, 'connect', {
          message,
          url: (id) => {
            made.push(id);
            return new URL(`https://example.com/connect?of=${id}`);
          },
        });
        return { answer, id: made.at(-1) };
      },
      [offerElicitation({ url: shown })],
    );
    const { id } = await run();
    expect(shown.mock.calls.map(([request]) => request.url)).toEqual([
      `https://example.com/connect?of=${String(id)}`,
    ]);
    expect(new Set(made).size).toBe(1);
  });
});

it('is unknown before 2025-11-25', async () => {
  const { run } = await asking('2025-06-18', () => ({ action: 'accept' }));
  await expect(run()).rejects.toMatchObject({ code: expect.any(Number) });
});

describe('the request of a server', () => {
  it.each([
    'example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'https://ada:secret@example.com',
    '',
    7,
  ])('is never %s', async (wrong) => {
    await expect(elicitUrl({} as never, 'k', { message, url: wrong as string })).rejects.toThrow(TypeError);
  });
});

describe('the url that a client shows', () => {
  const shownOf = async (params: JsonObject): Promise<unknown> => {
    let shown: unknown;
    const offer = offerElicitation({
      url: (request) => {
        shown = request;
        return { action: 'decline' };
      },
    });
    const ctx = { signal: new AbortController().signal, caller: { capabilities: {} } } as never;
    await offer.methods?.[0]?.handle({ mode: 'url', message, ...params }, ctx);
    return shown;
  };

  it.each([
    ['https://example.com', 'https://example.com/', 'example.com', []],
    ['http://localhost:8080/a', 'http://localhost:8080/a', 'localhost:8080', []],
    ['http://127.0.0.1/a', 'http://127.0.0.1/a', '127.0.0.1', []],
    ['http://example.com/a', 'http://example.com/a', 'example.com', ['NOT_HTTPS']],
    ['https://еxample.com/', 'https://xn--xample-2of.com/', 'xn--xample-2of.com', ['PUNYCODE']],
    ['https://bank.com@evil.com/', 'https://bank.com@evil.com/', 'evil.com', ['CREDENTIALS']],
    ['https://bank.com\\@evil.com/', 'https://bank.com/@evil.com/', 'bank.com', []],
  ])('of %s', async (sent, href, host, codes) => {
    expect(await shownOf({ url: sent })).toMatchObject({
      url: href,
      host,
      warnings: codes.map((code) => ({ code })),
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'x', undefined])('is never %s', async (wrong) => {
    await expect(shownOf({ url: wrong })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('the completion of a URL elicitation, at 2025-11-25', () => {
  const told = async (ids: readonly unknown[]): Promise<readonly [unknown, readonly unknown[]]> => {
    const done = vi.fn();
    const { run, clientFaults } = await pair(
      '2025-11-25',
      async (ctx) => {
        const asked = { mode: 'url', message, url, elicitationId: 'one' };
        await ctx.request('elicitation/create', asked);
        for (const elicitationId of ids)
          ctx.notify('notifications/elicitation/complete', { elicitationId } as never);
        return {};
      },
      [
        offerElicitation({
          url: ({ completed }) => {
            void completed?.then(done);
            return { action: 'accept' };
          },
        }),
      ],
    );
    await run();
    return [done.mock.calls.length, clientFaults];
  };

  it('is sent with the id of the elicitation', async () => {
    expect(await told(['one'])).toEqual([1, []]);
  });

  it('is not forgotten for questions that were declined since', async () => {
    const done = vi.fn();
    let asked = 0;
    const ask = (ctx: Context, elicitationId: string) =>
      ctx.request('elicitation/create', { mode: 'url', message, url, elicitationId });
    const { run } = await pair(
      '2025-11-25',
      async (ctx) => {
        await ask(ctx, 'one');
        for (let count = 0; count < 300; count += 1) await ask(ctx, `declined ${count}`);
        ctx.notify('notifications/elicitation/complete', { elicitationId: 'one' });
        return {};
      },
      [
        offerElicitation({
          url: ({ completed }) => {
            void completed?.then(done);
            return { action: (asked += 1) === 1 ? 'accept' : 'decline' };
          },
        }),
      ],
    );
    await run();
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('has an id of at most 8,192 characters', async () => {
    const { run } = await pair(
      '2025-11-25',
      async (ctx) => {
        const ask = (elicitationId: string) =>
          ctx.request('elicitation/create', { mode: 'url', message, url, elicitationId });
        await ask('i'.repeat(8_192));
        const error = await ask('i'.repeat(8_193)).catch((failure: unknown) => failure);
        return { code: (error as { code: unknown }).code };
      },
      [offerElicitation({ url: () => ({ action: 'accept' }) })],
    );
    expect(await run()).toMatchObject({ code: -32602 });
  });

  it('is ignored for ids that are unknown, already completed or invalid', async () => {
    expect(await told(['two', 7, undefined])).toEqual([0, []]);
    expect(await told(['one', 'one'])).toEqual([1, []]);
  });
});

it('the displayed parts of a url are known without opening it', () => {
  expect(describeUrl('http://example.com')).toMatchObject({
    url: 'http://example.com/',
    host: 'example.com',
    warnings: [{ code: 'NOT_HTTPS' }],
  });
  expect(describeUrl('javascript:alert(1)')).toBeUndefined();
  expect(describeUrl('no url')).toBeUndefined();
});

describe('an offer', () => {
  const form = () => ({ action: 'cancel' }) as const;
  it('declares the modes it has handlers for', () => {
    expect(offerElicitation({ form }).capabilities).toEqual({ elicitation: { form: {} } });
    expect(offerElicitation({ url: form }).capabilities).toEqual({ elicitation: { url: {} } });
    expect(offerElicitation({ form, url: form }).capabilities).toEqual({
      elicitation: { form: {}, url: {} },
    });
  });

  it.each([undefined, {}, { form: 'yes' }])('requires a handler: %j is invalid', (handlers) => {
    expect(() => offerElicitation(handlers as never)).toThrow(TypeError);
  });

  it('rejects forms where it opens urls only', () => {
    const offer = offerElicitation({ url: form });
    const handle = () => offer.methods?.[0]?.handle({ message, requestedSchema: {} }, {} as never);
    expect(handle).toThrow(/mode "form"/);
  });
});
