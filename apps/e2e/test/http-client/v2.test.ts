import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { firstValueFrom, lastValueFrom, map, take, tap, timeout, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { connected, eventually, say } from './connected.js';
import { counter } from './v1-desk.js';
import { v2Server } from './v2-server.js';

const soon = { each: 10_000 };

describe.each([
  ['as it comes', {}],
  ['with every answer as a stream', { responseMode: 'sse' as const }],
])('our client at an official v2 server, modern, %s', (_how, options) => {
  it('finds its era, lists and calls, and repeats each body in headers', async () => {
    const server = await v2Server(options);
    const { remote, faults } = await connected(server.url);
    expect(remote.version).toBe('2026-07-28');
    expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('greet');
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    expect((await once(prompts(remote).get('grüßen'))).messages).toHaveLength(1);
    await remote.close();
    expect(faults).toEqual([]);
    expect(server.got.map(({ method }) => method)).not.toContain('GET');
    for (const { headers, rpc } of server.got) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': rpc });
      expect(headers).not.toHaveProperty('mcp-session-id');
    }
    const names = server.got.flatMap(({ headers }) => headers['mcp-name'] ?? []);
    expect(names).toEqual(['greet', '=?base64?Z3LDvMOfZW4=?=']);
  });

  it('repeats marked arguments in headers', async () => {
    const server = await v2Server(options);
    const { remote } = await connected(server.url);
    await once(tools(remote).list());
    expect(await say(remote, 'where', { region: 'Nordfriesland, ünten' })).toBe('In Nordfriesland, ünten.');
    const call = server.got.find(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers['mcp-param-region']).toMatch(/^=\?base64\?/);
  });

  it('calls many tools at a time', async () => {
    const server = await v2Server(options);
    const { remote } = await connected(server.url);
    const names = Array.from({ length: 50 }, (_, index) => `bird ${String(index)}`);
    expect(await Promise.all(names.map((name) => say(remote, 'greet', { name })))).toEqual(
      names.map((name) => `Hello, ${name}!`),
    );
  });

  it('sees progress, answers the asks of a call, and cancels by leaving', async () => {
    const server = await v2Server(options);
    const { remote } = await connected(server.url);
    const events = await lastValueFrom(
      tools(remote).events('climb', { steps: 3 }).pipe(toArray(), timeout(soon)),
    );
    expect(events.map(({ type }) => type)).toEqual(['progress', 'progress', 'progress', 'result']);
    expect(await say(remote, 'ask')).toBe('The model says: A heron.');
    await firstValueFrom(tools(remote).events('wait').pipe(timeout(soon)));
    await eventually(() => server.shared.cancelled).toBe(1);
    expect(server.got.map(({ rpc }) => rpc)).not.toContain('notifications/cancelled');
  });

  it('fault 10: watches a resource and follows a list, also over a cut', async () => {
    const server = await v2Server(options);
    const { remote } = await connected(server.url);
    const values: (string | undefined)[] = [];
    const watching = resources(remote)
      .watch(counter)
      .subscribe(([value]) => values.push(value === undefined ? undefined : readText(value)));
    await eventually(() => values).toEqual(['0']);
    for (let round = 1; round <= 4; round += 1) {
      // What changes while no feed is open is read when the feed is open again.
      if (round % 2 === 0) expect(server.cut('POST')).toBe(1);
      await say(remote, 'bump');
      await eventually(() => values.at(-1)).toBe(String(round));
    }
    watching.unsubscribe();
    const lists = tools(remote).list$.pipe(
      map((list) => list.length),
      tap(() => void say(remote, 'grow').catch(() => undefined)),
      take(1),
      timeout(soon),
    );
    expect(await lastValueFrom(lists)).toBeGreaterThan(0);
  });

  it('fault 8: a cut ends the call alone, and nothing is sent again', async () => {
    const server = await v2Server(options);
    const { remote } = await connected(server.url);
    const waiting = once(tools(remote).call('wait'));
    const failed = expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
    await eventually(() => server.got.filter(({ rpc }) => rpc === 'tools/call').length).toBe(1);
    await eventually(() => server.cut('POST')).toBe(1);
    await failed;
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    expect(server.got.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(2);
  });
});

describe('our client at an official v2 server of the older era', () => {
  it('shakes hands and calls, without a session', async () => {
    const server = await v2Server();
    const { remote, faults } = await connected(server.url, ['legacy']);
    expect(remote.version).toBe('2025-11-25');
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    await remote.close();
    expect(faults).toEqual([]);
    expect(server.got.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('is reported where only the modern one is served', async () => {
    const server = await v2Server({ legacy: 'reject' });
    await expect(connected(server.url, ['legacy'])).rejects.toThrow();
    const { remote } = await connected(server.url);
    expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
  });
});
