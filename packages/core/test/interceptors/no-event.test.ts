import { of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent, Interceptor } from '../../src/index.js';
import { offerMethod, once } from '../../src/index.js';
import { retry } from '../../src/interceptors/index.js';
import { eras, pair } from './pair.js';

const echo = offerMethod('x/echo', {}, (params) => ({ params }));
const broken: [string, () => unknown][] = [
  ['undefined', () => undefined],
  ['a number', () => 5],
  ['another type', () => ({ type: 'else' })],
  [
    'a getter that throws',
    () => ({
      get type(): string {
        throw new Error('odd');
      },
    }),
  ],
  [
    'progress that cannot be read',
    () => ({
      type: 'progress',
      get progress(): number {
        throw new Error('odd');
      },
    }),
  ],
];
const emitting =
  (make: () => unknown): Interceptor =>
  () =>
    of(make() as ResponseEvent);
const said = 'an interceptor of "x/echo" emitted a value that is not an event';

describe.each(eras)('%s: an invalid event', (_era, version) => {
  it.each(broken)('is a failure of the handler at a server: %s', async (_what, make) => {
    const { remote, serverFaults } = await pair(version, { offers: [echo], interceptors: [emitting(make)] });
    await expect(once(remote.request('x/echo'))).rejects.toMatchObject({ code: -32603 });
    expect(serverFaults).toMatchObject([{ code: 'HANDLER_FAILED', cause: { message: said } }]);
  });

  it.each(broken)('is an error of the call at a client, behind others too: %s', async (_what, make) => {
    for (const where of ['interceptors', 'attemptInterceptors'] as const) {
      const { remote } = await pair(version, { offers: [echo] }, { [where]: [retry(), emitting(make)] });
      await expect(once(remote.request('x/echo'))).rejects.toThrow(said);
    }
  });

  it('rejects an invalid result, at a client', async () => {
    const none = emitting(() => ({ type: 'result', result: null }));
    for (const where of ['interceptors', 'attemptInterceptors'] as const) {
      const { remote } = await pair(version, { offers: [echo] }, { [where]: [retry(), none] });
      await expect(once(remote.request('x/echo'))).rejects.toThrow(said);
    }
  });

  it('ends the work that the interceptor had begun', async () => {
    const source = new Subject<ResponseEvent>();
    const { remote } = await pair(version, { offers: [echo], interceptors: [() => source] });
    const end = once(remote.request('x/echo')).catch((error: unknown) => error);
    await expect.poll(() => source.observed).toBe(true);
    source.next(undefined as never);
    expect(source.observed).toBe(false);
    expect(await end).toMatchObject({ code: -32603 });
  });
});
