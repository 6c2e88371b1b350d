import type { ResponseEvent, Interceptor } from '@rxmcp/core';
import { progressItem, text } from '@rxmcp/core';
import type { AuditRecord } from '@rxmcp/core/interceptors';
import { audit, cache, rateLimit, redact, retry, timeout } from '@rxmcp/core/interceptors';
import { concat, map, NEVER, of, tap } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Approve, SamplingModel } from '../../src/index.js';
import { offerSampling, sample, messageText } from '../../src/index.js';
import { asking, completion, contextOf, request } from '../sampling-requests.js';
import { pair } from '../pair.js';

afterEach(() => void vi.useRealTimers());

const echo: SamplingModel = (params) => completion(`echo: ${messageText(params.messages[0]!)}`);
const noting =
  (notes: string[], name: string): Interceptor =>
  (exchange, next) => {
    notes.push(`${name} ${exchange.side} ${exchange.method} of ${exchange.caller.info?.name}`);
    return next().pipe(tap((event) => notes.push(`${name} ${event.type}`)));
  };

describe('interceptors around sampling', () => {
  it('run around the user, and around the model', async () => {
    const notes: string[] = [];
    const approve: Approve = ({ stage }) => (notes.push(`person ${stage}`), { action: 'approve' });
    const model: SamplingModel = (params, ctx) => (notes.push('model'), echo(params, ctx));
    const ask = asking(model, {
      approve,
      interceptors: [noting(notes, 'outer')],
      modelInterceptors: [noting(notes, 'inner')],
    });
    await ask();
    const what = 'server sampling/createMessage of a';
    expect(notes).toEqual([
      `outer ${what}`,
      'person request',
      `inner ${what}`,
      'model',
      'inner result',
      'person completion',
      'outer result',
    ]);
  });

  it('see what a model reports while it runs, and may change it', async () => {
    const seen: unknown[] = [];
    const model: SamplingModel = () => concat(of(progressItem(1, 2, 'half')), of(completion('done')));
    const louder: Interceptor = (_exchange, next) =>
      next().pipe(
        map((event): ResponseEvent => (event.type === 'progress' ? { ...event, message: 'HALF' } : event)),
      );
    const ctx = { ...contextOf(), progress: (...told: unknown[]) => void seen.push(told) };
    await asking(model, { modelInterceptors: [louder] })(request(), ctx);
    expect(seen).toEqual([[1, 2, 'HALF']]);
  });

  it.each(['interceptors', 'modelInterceptors'])('are rejected among `%s`, which are for calls', (member) => {
    const offered = (interceptor: Interceptor) => () =>
      offerSampling(echo, {
        approve: 'dangerouslyAlways',
        [member]: [timeout({ totalTimeoutMs: 1 }), interceptor],
      });
    expect(offered(redact({}))).not.toThrow();
    for (const [name, interceptor] of [['retry', retry()] as const, ['cache', cache()] as const])
      expect(offered(interceptor)).toThrow(
        new TypeError(
          `${name} cannot be one of the ${member} of offerSampling: it is for the calls of a client`,
        ),
      );
  });

  it('limit the requests of a server per minute', async () => {
    vi.useFakeTimers();
    const limited = rateLimit({ limit: 2, windowMs: 60_000, per: ({ caller }) => caller.info?.name ?? '' });
    const ask = asking(echo, { interceptors: [limited] });
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({ code: -31_001, retryable: true });
    await ask(request(), contextOf('b'));
    await vi.advanceTimersByTimeAsync(30_000);
    await ask();
  });

  it('end a run at its timeout, and tear the model down', async () => {
    vi.useFakeTimers();
    let torn: unknown;
    const model: SamplingModel = (_params, ctx) => {
      ctx.signal.addEventListener('abort', () => (torn = ctx.signal.reason));
      return NEVER;
    };
    const failed = expect(
      asking(model, { modelInterceptors: [timeout({ totalTimeoutMs: 1_000 })] })(),
    ).rejects.toMatchObject({
      code: -31_004,
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
    expect(torn).toMatchObject({ code: 'CANCELLED' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tear the model down when the request is withdrawn, and not when it is answered', async () => {
    const leaving = new AbortController();
    const torn: unknown[] = [];
    let begun: (() => void) | undefined;
    const through: Interceptor = (_exchange, next) => next();
    const watched = (model: SamplingModel): ReturnType<typeof asking> =>
      asking(
        (params, ctx) => {
          ctx.signal.addEventListener('abort', () => torn.push(ctx.signal.reason));
          begun?.();
          return model(params, ctx);
        },
        { modelInterceptors: [through] },
      );
    await watched(echo)();
    expect(torn).toEqual([]);
    const running = new Promise<void>((resolve) => (begun = resolve));
    const left = watched(() => NEVER)(request(), contextOf('a', leaving.signal));
    await running;
    const reason = new Error('left');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(torn).toEqual([reason]);
  });

  it('redact secrets both ways, before a user or a model sees them', async () => {
    const secrets = redact({ patterns: [/key-\d+/], redactParams: true });
    const approve = vi.fn<Approve>(() => ({ action: 'approve' }));
    const model = vi.fn<SamplingModel>(() => completion('you said key-23'));
    const ask = asking(model, { approve, interceptors: [secrets] });
    const params = request({ messages: [{ role: 'user', content: text('mine is key-42') }] });
    expect(messageText(await ask(params))).toBe('you said [redacted]');
    expect(JSON.stringify(approve.mock.calls[0]?.[0].params)).not.toContain('key-42');
    expect(messageText(model.mock.calls[0]![0].messages[0]!)).toBe('mine is [redacted]');
  });

  it('report the caller and the outcome, without the contents', async () => {
    const records: (AuditRecord & { server: string | undefined })[] = [];
    const audited: Interceptor = (exchange, next) =>
      audit({ record: (one) => void records.push({ ...one, server: exchange.caller.info?.name }) })(
        exchange,
        next,
      );
    const ask = asking(echo, {
      interceptors: [audited],
      approve: ({ stage }) => (stage === 'request' ? { action: 'approve' } : { action: 'reject' }),
    });
    await ask().catch(() => undefined);
    expect(records).toMatchObject([{ server: 'a', status: 'failed', code: 'ASK_REJECTED' }]);
    expect(JSON.stringify(records)).not.toContain('France');
  });

  it('keep nothing between requests: a model sees the given conversation only', async () => {
    const seen: unknown[] = [];
    const model: SamplingModel = ({ messages }, ctx) => (
      seen.push(messages),
      echo({ messages, maxTokens: 1 }, ctx)
    );
    const ask = asking(model, { context: () => 'known', interceptors: [(_exchange, next) => next()] });
    await ask(request({ includeContext: 'thisServer' }));
    await ask();
    expect(seen[1]).toEqual(request().messages);
  });
});

it.each(['2026-07-28', '2025-11-25'])('a refusal of theirs reaches a server of %s', async (version) => {
  const none: Interceptor = rateLimit({ limit: 1, windowMs: 60_000 });
  const { run } = await pair(
    version,
    async (ctx) => ({ said: [await sample(ctx, 'a', request()), await sample(ctx, 'b', request())].length }),
    { client: [offerSampling(echo, { approve: 'dangerouslyAlways', interceptors: [none] })] },
  );
  const failure = await run().catch((error: unknown) => error);
  // Since 2026-07-28 the call ends where it is refused. Before, the server answers it with the code of a rejected ask.
  expect(failure).toMatchObject(version === '2026-07-28' ? { code: 'ASK_REJECTED' } : { code: -1 });
});
