import { concat, EMPTY, finalize, NEVER, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { HandlerResult, Offer } from '../../src/index.js';
import { logItem, offerMethod, once, progressItem } from '../../src/index.js';
import { defineOffer, getRemoteLink, resultPromise } from '../../src/internal.js';
import { pair } from '../interceptors/pair.js';
import { until } from '../rig/turn.js';

/** Asks for the result of an output, as a handler would. */
async function asked(output: HandlerResult<Record<string, unknown>>, ...others: readonly Offer[]) {
  const run = offerMethod('x/y', {}, (_params, ctx) => resultPromise(output, ctx, 'nothing came'));
  const offers = [run, ...others];
  const { remote, serverFaults } = await pair('2026-07-28', { offers });
  return { remote, serverFaults, result: () => once(remote.request('x/y')) };
}

describe('the result of an output', () => {
  it.each([
    ['a value', { a: 1 }],
    ['a promise', Promise.resolve({ a: 1 })],
    ['the first value of an Observable', of({ a: 1 }, { a: 2 })],
    ['the first value after reports', concat(of(progressItem(1)), of({ a: 1 }))],
  ])('is %s', async (_what, output) => {
    expect(await (await asked(output)).result()).toMatchObject({ a: 1 });
  });

  it('is an error where the output fails or ends without one', async () => {
    const failed = await asked(throwError(() => new Error('broken')));
    await expect(failed.result()).rejects.toThrow();
    expect(failed.serverFaults).toMatchObject([{ cause: { message: 'broken' } }]);
    const empty = await asked(EMPTY);
    await expect(empty.result()).rejects.toThrow();
    expect(empty.serverFaults).toMatchObject([{ cause: { code: 'NO_RESULT', message: 'nothing came' } }]);
  });

  it('is torn down with its request, also where that throws', async () => {
    let torn = 0;
    const output = NEVER.pipe(
      finalize(() => {
        torn += 1;
        throw new Error('cannot stop');
      }),
    );
    const { remote, serverFaults } = await asked(output);
    const call = remote.request('x/y').subscribe();
    await once(remote.request('x/z')).catch(() => undefined);
    expect(torn).toBe(0);
    call.unsubscribe();
    await until(() => serverFaults.length > 0);
    expect([torn, serverFaults]).toMatchObject([
      1,
      [{ message: expect.stringContaining('"x/y"') as string }],
    ]);
  });

  it('comes after its reports', async () => {
    const logging = defineOffer({ name: 'logging', side: 'server', capabilities: { logging: {} } });
    const reports = concat(of(progressItem(1, 2, 'half'), logItem('info', 'text', 'me')), of({}));
    const { remote } = await asked(reports, logging);
    const link = getRemoteLink(remote);
    const events: unknown[] = [];
    const call = link.events({
      method: 'x/y',
      capability: 'logging',
      decode: (result) => result,
      options: { logLevel: 'info' },
    });
    await new Promise<void>((complete) => call.subscribe({ next: (event) => events.push(event), complete }));
    expect(events).toMatchObject([
      { type: 'progress', progress: 1, total: 2, message: 'half' },
      { type: 'log', level: 'info', data: 'text', logger: 'me' },
      { type: 'result' },
    ]);
  });
});
