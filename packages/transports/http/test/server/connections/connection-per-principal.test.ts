import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchHandler } from '../../../src/fetch.js';
import { modern, until, usual } from '../calls.js';
import { Desk, type Seen } from '../desk.js';
import { type Rig, rigs } from '../fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

// Only the one timer of the server is virtual: sockets go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** A server that needs a connection for each principal, as a bridge does. */
class Apart extends Desk {
  readonly connectionPerPrincipal = true;
}

const authenticate = (head: { headerValues(name: string): readonly string[] }) => ({
  principal: head.headerValues('authorization')[0] ?? '',
});
const as = (rig: Rig, principal: string, init: RequestInit = modern('echo')): Promise<Response> =>
  rig.ask({ ...init, headers: { ...init.headers, authorization: principal } });
const principals = (seen: readonly Seen[]) => seen.map(({ connection }) => connection.traits.principal);
const counts = (seen: readonly Seen[]) => seen.map(({ received }) => received.length);

describe.each(rigs)('a handler that needs a connection per principal $name', ({ serve }) => {
  let rig: Rig;
  afterEach(async () => {
    await rig.close();
    expect(rig.desk.seen.every(({ closed }) => closed !== undefined)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gets one for each, whose traits name it', async () => {
    rig = await serve({ authenticate }, new Apart());
    for (const who of ['ada', 'bob', 'ada', 'ada', 'bob']) expect((await as(rig, who)).status).toBe(200);
    expect(principals(rig.desk.seen)).toEqual(['ada', 'bob']);
    expect(rig.desk.seen.map(({ connection }) => connection.traits.holder)).toEqual([
      'principal ada',
      'principal bob',
    ]);
    expect(counts(rig.desk.seen)).toEqual([3, 2]);
  });

  it('receives a fault on the connection of the caller that caused it', async () => {
    rig = await serve({ authenticate }, new Apart());
    for (const who of ['ada', 'bob']) await as(rig, who);
    await as(rig, 'bob', { method: 'POST', headers: usual, body: '{' });
    expect(rig.desk.seen.map(({ faults }) => faults.length)).toEqual([0, 1]);
  });

  it('gets one for all anonymous callers', async () => {
    rig = await serve({}, new Apart());
    for (let call = 0; call < 3; call += 1) expect((await rig.ask(modern('echo'))).status).toBe(200);
    expect(principals(rig.desk.seen)).toEqual([undefined]);
    expect(counts(rig.desk.seen)).toEqual([3]);
  });

  it('keeps each as long as it is used', async () => {
    rig = await serve({ authenticate, sessionIdleTimeoutMs: 120_000 }, new Apart());
    for (const who of ['ada', 'bob', 'eve']) await as(rig, who);
    const held = as(rig, 'eve', modern('hold'));
    await until(() => rig.desk.holding === 1);
    await pass(115);
    await as(rig, 'ada');
    await pass(10);
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([undefined, null, undefined]);
    rig.desk.release();
    await held;
    await pass(125);
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([null, null, null]);
    await as(rig, 'bob');
    expect(principals(rig.desk.seen)).toEqual(['ada', 'bob', 'eve', 'bob']);
  });

  it('loses the longest idle one at the limit, and none that is in use', async () => {
    rig = await serve({ authenticate, maxSessions: 2 }, new Apart());
    const held = as(rig, 'ada', modern('hold'));
    await until(() => rig.desk.holding === 1);
    await as(rig, 'bob');
    await pass(5);
    await as(rig, 'eve');
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([undefined, null, undefined]);
    const other = as(rig, 'eve', modern('hold'));
    await until(() => rig.desk.holding === 2);
    const refused = await as(rig, 'ivy');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ error: { code: -31001, data: { retryable: true } } });
    rig.desk.release();
    for (const response of [await held, await other]) expect(response.status).toBe(200);
    expect((await as(rig, 'ivy')).status).toBe(200);
  });

  it('drains all', async () => {
    rig = await serve({ authenticate }, new Apart());
    const held = ['ada', 'bob'].map((who) => as(rig, who, modern('hold')));
    await until(() => rig.desk.holding === 2);
    await rig.drain();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    expect(rig.desk.seen.map(({ drains }) => drains)).toEqual([1, 1]);
  });
});

it('callers that the application has authenticated are kept apart from anonymous ones', async () => {
  const desk = new Apart();
  const handler = fetchHandler(desk);
  for (const principal of ['ada', undefined, 'bob', undefined, 'ada']) {
    const caller = principal === undefined ? {} : { caller: { principal } };
    await handler(new Request('http://localhost/mcp', modern('echo')), caller);
  }
  expect(principals(desk.seen)).toEqual(['ada', undefined, 'bob']);
  expect(counts(desk.seen)).toEqual([2, 2, 1]);
  await handler.close();
});

it('other handlers have one connection for all callers', async () => {
  const desk = new Desk();
  const handler = fetchHandler(desk, { authenticate, maxSessions: 0 });
  const ask = (init: RequestInit): Promise<Response> => handler(new Request('http://localhost/mcp', init));
  for (const who of ['ada', 'bob', 'eve']) await as({ ask } as Rig, who);
  expect(principals(desk.seen)).toEqual([undefined]);
  expect(counts(desk.seen)).toEqual([3]);
  await handler.close();
});
