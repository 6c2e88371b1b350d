import { finalize, NEVER } from 'rxjs';
import { expect, it } from 'vitest';
import { memory } from '@rxmcp/memory';
import { defineClient, defineServer, each, offerMethod, once } from '../../src/index.js';
import { rawClient } from '../rig/raw-client.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { countTimers } from '../rig/timers.js';
import { turn } from '../rig/turn.js';

/** All tables reachable from the inside of an object that hold an entry, by path. */
function filled(root: object, allowed: RegExp): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > 6) return;
    seen.add(value);
    if (value instanceof Map || value instanceof Set) {
      if (value.size > 0 && !allowed.test(path)) found.push(`${path}: ${value.size}`);
      return;
    }
    // A table may keep empty slots.
    const entries = Array.isArray(value) ? value.filter((entry) => entry !== undefined).length : 0;
    if (entries > 0 && !allowed.test(path)) found.push(`${path}: ${entries}`);
    for (const key of Object.keys(value))
      visit((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1);
  };
  visit(root, '', 0);
  return found;
}

it('ten thousand cancelled calls leave no entry in any table of either side', async () => {
  let running = 0;
  const hang = offerMethod('x/hang', {}, () => {
    running += 1;
    return NEVER.pipe(finalize(() => void (running -= 1)));
  });
  const link = memory({ maxQueuedMessages: 100_000 });
  const server = defineServer({ info: { name: 's', version: '1' }, offers: [hang] });
  let serving: object | undefined;
  link.serve({
    accept: (connection) => {
      const served = server.accept(connection);
      serving = served;
      return served;
    },
  });
  const client = defineClient({ info: { name: 'c', version: '1' }, limits: { maxCallsInFlight: 20_000 } });
  const remote = await client.connect(link);
  for (let i = 0; i < 10; i += 1) {
    const calls = Array.from({ length: 1_000 }, () => remote.request('x/hang').subscribe());
    await turn();
    for (const call of calls) call.unsubscribe();
    await turn();
  }
  expect(running).toBe(0);
  expect(filled(serving as object, /^\.core|versions|legacy\.caller/)).toEqual([]);
  await remote.close();
});

it('fault 1: a lost connection ends every call at once, none hangs', async () => {
  const server = rawServer(() => undefined, {}, { redialable: false });
  const remote = await connected(server);
  const calls = Array.from({ length: 20 }, () => once(remote.request('x/y')).catch((e: unknown) => e));
  await turn();
  server.pipes[0]?.end(lost());
  for (const end of await Promise.all(calls))
    expect(end).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
});

it('fault 31: a hundred thousand calls with one signal leave no listener and no timer', async () => {
  const pending = countTimers();
  const link = memory();
  link.serve(
    defineServer({ info: { name: 's', version: '1' }, offers: [offerMethod('x/echo', {}, () => ({}))] }),
  );
  const remote = await defineClient({ info: { name: 'c', version: '1' } }).connect(link);
  const warnings: unknown[] = [];
  const note = (warning: unknown): void => void warnings.push(warning);
  process.on('warning', note);
  let listeners = 0;
  const { signal } = new AbortController();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
  for (let i = 0; i < 100; i += 1) {
    await Promise.all(Array.from({ length: 1_000 }, () => once(remote.request('x/echo'), { signal })));
  }
  expect(listeners).toBe(0);
  await turn();
  // The one clock of a connection stays for its next call.
  expect(pending()).toBeLessThanOrEqual(1);
  process.off('warning', note);
  expect(warnings).toEqual([]);
  await remote.close();
  await turn();
  expect(pending()).toBe(0);
});

it('a closed remote leaves no timer, whatever was running', async () => {
  const pending = countTimers();
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  const ignored = { error: () => undefined };
  remote.request('x/y').subscribe(ignored);
  remote.request('x/z', {}, { idleTimeoutMs: 1_000 }).subscribe(ignored).unsubscribe();
  await remote.close();
  remote.request('x/later').subscribe(ignored);
  await turn();
  expect(pending()).toBe(0);
});

it('a closed connection leaves nothing on the serving side', async () => {
  const pending = countTimers();
  const client = rawClient([offerMethod('x/ask', {}, (_params, ctx) => ctx.request('x/there') as never)]);
  await client.shake();
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/ask' });
  await turn();
  client.end();
  await client.served.closed;
  await turn();
  expect(filled(client.served, /^\.core|versions|legacy\.caller/)).toEqual([]);
  expect(pending()).toBe(0);
});

it('row 89: responses to a closed connection reject nothing and end nothing', async () => {
  let finish: (value: object) => void = () => undefined;
  const slow = offerMethod('x/slow', {}, () => new Promise((resolve) => (finish = resolve as never)));
  const client = rawClient([slow]);
  await client.shake();
  client.put({ jsonrpc: '2.0', id: 1, method: 'x/slow' });
  await turn();
  client.end(lost());
  finish({});
  await client.served.closed;
  await turn();
  expect(client.faults.map((f) => f.code)).toEqual(['CONNECTION_LOST']);
});

it('leaving an iteration cancels the call', async () => {
  const server = rawServer(() => undefined);
  const remote = await connected(server);
  const iterator = each(remote.request('x/y'));
  const first = iterator.next();
  await turn();
  const left = iterator.return();
  expect(server.calls().map(({ method }) => method)).toEqual(['x/y', 'notifications/cancelled']);
  const over = { done: true, value: undefined };
  expect(await Promise.all([first, left])).toEqual([over, over]);
  await remote.close();
});
