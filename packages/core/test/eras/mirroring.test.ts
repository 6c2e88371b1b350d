import type { SendOptions } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { once } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { watch } from '../rig/counting.js';
import type { Frame } from '../rig/pipe.js';
import { connected, rawServer } from '../rig/raw-server.js';
import type { RawServer } from '../rig/raw-server.js';
import { until } from '../rig/turn.js';

const traits = { lanes: 'per-request', idScope: 'connection', carriesHeaders: true } as const;
const version = '2026-07-28';
const capabilities = { tools: {}, resources: { subscribe: true } };
const ok = ({ id, method }: Frame): object | undefined =>
  id === undefined || method === 'subscriptions/listen' ? undefined : { result: {} };

/** The headers sent with the messages of one method. */
function beside(server: RawServer, method: string): (SendOptions | undefined)[] {
  return server.pipes.flatMap((p) => p.envelopes.filter((_, i) => p.sent[i]?.method === method));
}

describe('in the modern era, a client on a carrier with mirrors', () => {
  it('sends version and method with every request, and what the standard names', async () => {
    const server = rawServer(ok, { capabilities }, traits);
    const remote = await connected(server);
    expect(beside(server, 'server/discover')).toMatchObject([
      { version, headers: { version, method: 'server/discover' } },
    ]);
    await once(remote.request('tools/call', { name: 'a b', arguments: {} }));
    await once(remote.request('prompts/get', { name: 'p' }));
    await once(remote.request('resources/read', { uri: 'file:///ä' }));
    await once(remote.request('x/own', { name: 'not sent', uri: 'u' }));
    const mirrors = server.pipes[0]?.envelopes.slice(1).map((e) => e?.headers);
    expect(mirrors).toEqual([
      { version, method: 'tools/call', name: 'a b' },
      { version, method: 'prompts/get', name: 'p' },
      { version, method: 'resources/read', name: 'file:///ä' },
      { version, method: 'x/own' },
    ]);
    watch(remote, 'file:///a').subscribe({ error: () => undefined });
    await until(() => beside(server, 'subscriptions/listen').length > 0);
    expect(beside(server, 'subscriptions/listen')[0]).toMatchObject({
      version,
      headers: { version, method: 'subscriptions/listen' },
    });
  });

  it('sends the params that its caller names, where they have such values', async () => {
    const server = rawServer(ok, { capabilities }, traits);
    const inner = getRemoteLink(await connected(server));
    const at = (header: string, ...path: string[]) => ({ header, path: ['arguments', ...path] });
    const mirrored = [
      at('text', 'text'),
      at('empty', 'empty'),
      at('integer', 'deep', 'integer'),
      at('flag', 'flag'),
      at('null', 'null'),
      at('absent', 'deep', 'absent', 'x'),
      at('fraction', 'fraction'),
      at('large', 'large'),
      at('list', 'list'),
      at('made', 'constructor', 'name'),
    ];
    const args = {
      text: 'Ä b',
      empty: '',
      deep: { integer: -7 },
      flag: false,
      null: null,
      fraction: 0.5,
      large: 2 ** 60,
      list: ['x'],
    };
    const params = { name: 't', arguments: args };
    const decode = (result: object): object => result;
    await once(inner.call({ method: 'tools/call', params, decode, headerParams: () => mirrored }));
    expect(beside(server, 'tools/call')[0]?.headers).toEqual({
      version,
      method: 'tools/call',
      name: 't',
      'param.text': 'Ä b',
      'param.empty': '',
      'param.integer': '-7',
      'param.flag': 'false',
    });
  });

  it('sends them again with each round, and the version with every message', async () => {
    let rounds = 0;
    const asks = { resultType: 'input_required', requestState: 's' };
    const server = rawServer(
      (f) => ({ result: (rounds += 1) === 1 && f.id !== undefined ? asks : {} }),
      {},
      traits,
    );
    const remote = await connected(server);
    await once(remote.request('tools/call', { name: 't' }));
    expect(beside(server, 'tools/call').map((e) => e?.headers)).toEqual([
      { version, method: 'tools/call', name: 't' },
      { version, method: 'tools/call', name: 't' },
    ]);
    await remote.notify('x/told');
    expect(beside(server, 'x/told')).toMatchObject([{ version }]);
  });
});

it('in the older era it sends the version with every message after the handshake, and nothing else', async () => {
  const server = rawServer(
    (frame, wire) => {
      if (frame.method === 'x/asks') wire.put({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      return ok(frame);
    },
    { era: 'legacy', capabilities },
    traits,
  );
  const remote = await connected(server);
  expect(beside(server, 'initialize')[0]?.version).toBeUndefined();
  await once(remote.request('x/asks', { name: 'n' }));
  await until(() => (server.pipes[0]?.sent ?? []).some((f) => f.id === 'q'));
  const call = remote.request('x/never').subscribe();
  call.unsubscribe();
  await until(() => beside(server, 'notifications/cancelled').length > 0);
  const [probe, , ...after] = server.pipes[0]?.envelopes ?? [];
  expect(probe?.headers).toEqual({ version, method: 'server/discover' });
  expect(after.length).toBeGreaterThan(3);
  for (const envelope of after) {
    expect(envelope?.version).toBe('2025-11-25');
    expect(envelope?.headers).toBeUndefined();
  }
});

it('a pipe sends no headers', async () => {
  const server = rawServer(ok, { capabilities });
  const remote = await connected(server);
  await once(remote.request('tools/call', { name: 't' }));
  expect(server.pipes[0]?.envelopes).toEqual([undefined, undefined]);
});
