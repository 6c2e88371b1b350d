import { concat, finalize, NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import type { Fault, Remote } from '../../src/index.js';
import { defineOffer, liveSet } from '../../src/internal.js';
import { crashes } from '../rig/crashes.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

const fail = (): never => {
  throw new Error('teardown');
};
const started = defineOffer({ name: 'started', side: 'both', capabilities: {}, start: () => fail });
const watched = defineOffer({
  name: 'watched',
  side: 'server',
  capabilities: { resources: { subscribe: true } },
  watch: () => fail,
});
const hanging = () => {
  const torn: string[] = [];
  const offer = offerMethod('x/hang', {}, () => NEVER.pipe(finalize(() => void torn.push('hang'))));
  return { torn, offer };
};
const request = (id: number, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: modernMeta() },
});
const listen = (id: number) =>
  request(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['a:/z'] } });
const codes = (faults: readonly Fault[]): string[] => faults.map(({ code }) => code);

describe('a server, where something cannot be torn down', () => {
  it('ends the connection even when an offer cannot be stopped', async () => {
    const stopped: string[] = [];
    const other = defineOffer({
      name: 'other',
      side: 'both',
      capabilities: {},
      start: () => () => void stopped.push('other'),
    });
    const client = rawClient([started, other]);
    client.end();
    await client.served.closed;
    expect([stopped, codes(client.faults)]).toEqual([['other'], ['HANDLER_FAILED']]);
  });

  it('ends every request when a watch of one cannot be ended', async () => {
    const { torn, offer } = hanging();
    const client = rawClient([watched, offer]);
    client.put(listen(1));
    client.put(request(2, 'x/hang'));
    await turn();
    client.end();
    await client.served.closed;
    expect([torn, codes(client.faults)]).toEqual([['hang'], ['HANDLER_FAILED']]);
  });

  it('drains, and ends the other watches', async () => {
    const client = rawClient([watched]);
    await client.shake();
    await client.ask({ id: 1, method: 'resources/subscribe', params: { uri: 'a:/x' } });
    await client.ask({ id: 2, method: 'resources/subscribe', params: { uri: 'a:/y' } });
    client.put(listen(3));
    await turn();
    await client.served.drain({ timeoutMs: 1_000 });
    expect(codes(client.faults)).toEqual(Array.from({ length: 3 }, () => 'HANDLER_FAILED'));
    expect((await client.take()).map(({ id }) => id)).toContain(3);
  });

  it('answers a client that stops watching', async () => {
    const client = rawClient([watched]);
    await client.shake();
    const params = { uri: 'a:/x' };
    await client.ask({ id: 1, method: 'resources/subscribe', params });
    expect(await client.ask({ id: 2, method: 'resources/unsubscribe', params })).toMatchObject({
      result: {},
    });
    expect(codes(client.faults)).toEqual(['HANDLER_FAILED']);
  });
});

describe('a remote, where something cannot be torn down', () => {
  /** What a remote emits until its end. */
  function told(remote: Remote): { faults: Fault[]; ends: string[] } {
    const faults: Fault[] = [];
    const ends: string[] = [];
    remote.faults$.subscribe((fault) => faults.push(fault));
    remote.status$.subscribe({
      next: ({ state }) => ends.push(state),
      complete: () => ends.push('complete'),
    });
    return { faults, ends };
  }

  it('is closed even when a live offer cannot be stopped', async () => {
    const source = concat(of([]), NEVER).pipe(finalize(fail));
    const set = liveSet({ name: 'roots', source, keyOf: String, content: (all) => all });
    const live = defineOffer({
      name: 'roots',
      side: 'client',
      capabilities: { roots: { listChanged: true } },
      start: (host) => set.start(host, 'roots'),
    });
    const server = rawServer(() => undefined);
    const remote = await connected(server, { offers: [live] });
    const { faults, ends } = told(remote);
    await remote.close();
    expect([ends, codes(faults)]).toEqual([['open', 'closed', 'complete'], ['HANDLER_FAILED']]);
  });

  it('fails every call with the loss, and redials, when the teardown of one throws', async () => {
    const seen = crashes();
    const server = rawServer((_frame, _wire, dial) => (dial === 2 ? { result: { dial } } : undefined));
    const remote = await connected(server);
    const { faults, ends } = told(remote);
    const calls: string[] = [];
    const made = (name: string) =>
      remote
        .request('x/y')
        .pipe(finalize(name === 'bad' ? fail : () => undefined))
        .subscribe({ next: () => calls.push(`${name} done`), error: () => calls.push(`${name} lost`) });
    made('bad');
    made('good');
    await turn();
    server.pipes[0]?.end(lost());
    made('waiting');
    await turn();
    expect(calls).toEqual(['bad lost', 'good lost', 'waiting done']);
    expect(ends).toEqual(['open', 'reconnecting', 'open']);
    expect(codes(faults)).toEqual(['HANDLER_FAILED']);
    expect(seen).toEqual([]);
  });

  it('fails every waiting call with the end', async () => {
    const server = rawServer(() => undefined);
    const remote = await connected(server);
    const { faults, ends } = told(remote);
    server.maxDials = 1;
    server.pipes[0]?.end(lost());
    const calls: string[] = [];
    for (const name of ['bad', 'good'])
      remote
        .request('x/y')
        .pipe(finalize(name === 'bad' ? fail : () => undefined))
        .subscribe({ error: () => calls.push(name) });
    await turn();
    expect(calls).toEqual(['bad', 'good']);
    expect(ends).toEqual(['open', 'reconnecting', 'closed', 'complete']);
    expect(codes(faults)).toEqual(['HANDLER_FAILED']);
  });
});
