import { once, TransportError } from 'rxmcp';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { firstValueFrom, lastValueFrom, map, take, takeWhile, tap, timeout, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { connected, eventually, say } from './connected.js';
import { counter } from './v1-desk.js';
import { v1Server } from './v1-server.js';

const soon = { each: 10_000 };

describe.each([
  ['with sessions', {}],
  ['with sessions, answers as JSON', { json: true }],
  ['with sessions that can be resumed', { resumable: true }],
  ['without sessions', { sessions: false }],
])('our client at an official v1 server %s', (_how, options) => {
  it('finds its era, lists, calls and ends its session', async () => {
    const server = await v1Server(options);
    const { remote, faults } = await connected(server.url);
    expect(remote.version).toBe('2025-11-25');
    expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('greet');
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    await remote.close();
    expect(server.sessions).toBe(0);
    expect(faults).toEqual([]);
    const later = server.got.filter(({ rpc }) => rpc === 'tools/list' || rpc === 'tools/call');
    expect(later.every(({ headers }) => headers['mcp-protocol-version'] === '2025-11-25')).toBe(true);
    expect(new Set(later.map(({ headers }) => headers['mcp-session-id'])).size).toBe(1);
  });

  it('calls many tools at a time', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    const names = Array.from({ length: 50 }, (_, index) => `bird ${String(index)}`);
    const said = await Promise.all(names.map((name) => say(remote, 'greet', { name })));
    expect(said).toEqual(names.map((name) => `Hello, ${name}!`));
  });
});

describe.each([
  ['with sessions', {}],
  ['without sessions', { sessions: false }],
])('our client at an official v1 server that streams, %s', (_how, options) => {
  it('sees progress before the result', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    const events = await lastValueFrom(
      tools(remote).events('climb', { steps: 3 }).pipe(toArray(), timeout(soon)),
    );
    expect(events.map(({ type }) => type)).toEqual(['progress', 'progress', 'progress', 'result']);
  });
});

describe.each([
  ['with sessions', {}],
  ['with sessions that can be resumed', { resumable: true }],
])('our client in a session of an official v1 server %s', (_how, options) => {
  it('answers the asks of a call', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    expect(await say(remote, 'ask')).toBe('The model says: A heron.');
  });

  it('watches a resource and follows a list', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    const seen = lastValueFrom(
      resources(remote)
        .watch(counter)
        .pipe(
          map(([value]) => (value === undefined ? undefined : readText(value))),
          tap((value) => void (value !== '2' && say(remote, 'bump'))),
          takeWhile((value) => value !== '2', true),
          toArray(),
          timeout(soon),
        ),
    );
    expect(await seen).toEqual(['0', '1', '2']);
    const grown = lastValueFrom(
      tools(remote).list$.pipe(
        map((list) => list.some(({ name }) => name === 'grown')),
        tap((is) => void (!is && say(remote, 'grow'))),
        take(2),
        toArray(),
        timeout(soon),
      ),
    );
    expect(await grown).toEqual([false, true]);
  });

  it('cancels a call', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    await firstValueFrom(tools(remote).events('wait').pipe(timeout(soon)));
    await eventually(() => server.shared.cancelled).toBe(1);
    expect(server.got.filter(({ rpc }) => rpc === 'notifications/cancelled')).toHaveLength(1);
  });

  it('fault 16: makes a new session when the server forgot the old one; the outcome of calls in flight is unknown, subscriptions continue', async () => {
    const server = await v1Server(options);
    const { remote } = await connected(server.url);
    const values: (string | undefined)[] = [];
    const watching = resources(remote)
      .watch(counter)
      .subscribe(([value]) => values.push(value === undefined ? undefined : readText(value)));
    await eventually(() => values).toEqual(['0']);
    const waiting = once(tools(remote).call('wait'));
    const failed = expect(waiting).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcome: 'unknown' });
    await eventually(() => server.got.filter(({ rpc }) => rpc === 'tools/call').length).toBe(1);
    server.forget();
    await failed;
    expect(await say(remote, 'bump')).toBe('1');
    await eventually(() => values.at(-1)).toBe('1');
    expect(await say(remote, 'bump')).toBe('2');
    await eventually(() => values.at(-1)).toBe('2');
    expect(server.sessions).toBe(1);
    watching.unsubscribe();
    await expect(waiting).rejects.toSatisfy(TransportError.is);
  });
});

describe('a cut on the way to an official v1 server', () => {
  it('fault 10: of the stream of a call is resumed, nothing lost or doubled', async () => {
    const server = await v1Server({ resumable: true });
    const { remote, faults } = await connected(server.url);
    const events = lastValueFrom(
      tools(remote)
        .events('wait')
        .pipe(
          tap((event) => {
            if (event.type !== 'progress' || event.progress !== 1) return;
            expect(server.cut('POST')).toBe(1);
            server.shared.release();
          }),
          toArray(),
          timeout(soon),
        ),
    );
    expect((await events).map(({ type }) => type)).toEqual(['progress', 'progress', 'result']);
    expect(faults).toEqual([]);
  });

  it('fault 10: of the standing stream is resumed, nothing lost', async () => {
    const server = await v1Server({ resumable: true });
    const { remote, faults } = await connected(server.url);
    const values: (string | undefined)[] = [];
    const watching = resources(remote)
      .watch(counter)
      .subscribe(([value]) => values.push(value === undefined ? undefined : readText(value)));
    await eventually(() => values).toEqual(['0']);
    // This server gives no id before its first event: until then there is nothing to resume after.
    for (let round = 1; round <= 5; round += 1) {
      if (round > 1) expect(server.cut('GET')).toBe(1);
      await say(remote, 'bump');
      await eventually(() => values.at(-1)).toBe(String(round));
    }
    watching.unsubscribe();
    expect(faults).toEqual([]);
  });

  it('fault 8: of a call that cannot be resumed ends it, and the connection stays open', async () => {
    const server = await v1Server();
    const { remote } = await connected(server.url);
    const waiting = once(tools(remote).call('wait'));
    const failed = expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await eventually(() => server.cut('POST')).toBe(1);
    await failed;
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
  });

  it('polling: the server ends the stream of a call, the client comes back for the result', async () => {
    const server = await v1Server({ resumable: true, retryMs: 100 });
    const { remote, faults } = await connected(server.url);
    const said = say(remote, 'wait', { poll: true });
    await eventually(() => server.got.some(({ headers }) => 'last-event-id' in headers)).toBe(true);
    server.shared.release();
    expect(await said).toBe('Waited.');
    expect(faults).toEqual([]);
  });
});
