import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { tool } from 'rxmcp/tools';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { legacy } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn } from './stage/turn.js';

const clientInfo = { name: 'raw', version: '1' };

describe.each(legacy)('a server of %s', (version) => {
  clause(
    ['11/lifecycle/3', '11/lifecycle/9', '11/basic/1', '11/prompts/1'],
    'answers the handshake in the version asked for, with what it has',
    async () => {
      const raw = await rawClient(desk().server);
      expect((await raw.shake(version)).result).toEqual({
        protocolVersion: version,
        serverInfo: { name: 'desk', version: '1.2.3' },
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          logging: {},
        },
      });
    },
  );

  clause(
    ['11/lifecycle/10', '11/lifecycle/11'],
    'offers its newest version for an unsupported one',
    async () => {
      for (const asked of ['1.0.0', '2024-01-01', '2999-01-01']) {
        const raw = await rawClient(desk().server);
        expect((await raw.shake(asked)).result?.['protocolVersion']).toBe('2025-11-25');
        const pinned = await rawClient(desk({ versions: [version] }).server);
        expect((await pinned.shake(asked)).result?.['protocolVersion']).toBe(version);
      }
    },
  );

  clause(['11/lifecycle/1'], 'serves nothing but ping before it', async () => {
    const raw = await rawClient(desk().server);
    expect((await raw.call('tools/list')).error?.code).toBe(-32602);
    expect((await raw.call('ping')).result).toEqual({});
    await raw.shake(version);
    expect((await raw.call('tools/list')).result).toBeDefined();
  });

  clause(['11/lifecycle/6'], 'asks nothing before the client is ready', async () => {
    const { server, tools: offered } = desk();
    const raw = await rawClient(server);
    await raw.call('initialize', {
      protocolVersion: version,
      capabilities: { roots: {}, sampling: {} },
      clientInfo,
    });
    offered.next([...offered.value, tool('one-more', {}, () => 'x')]);
    await raw.quiet();
    expect(raw.frames.filter(({ id, method }) => id !== undefined && method !== undefined)).toEqual([]);
  });

  clause(['11/ping/1'], 'answers a ping at once, with nothing in it', async () => {
    const raw = await rawClient(desk().server);
    await raw.shake(version);
    raw.put({ id: 'long', method: 'tools/call', params: { name: 'slow' } });
    expect((await raw.ask({ id: 'p', method: 'ping' })).result).toEqual({});
  });

  clause(['11/tools/4', '11/prompts/2', '26/resources/5'], 'notifies of changes in its lists', async () => {
    const { server, tools: offered, prompts, resources } = desk();
    const raw = await rawClient(server);
    await raw.shake(version);
    offered.next(offered.value.slice(1));
    prompts.next(prompts.value.slice(1));
    resources.next(resources.value.slice(0, 3));
    await raw.quiet();
    for (const list of ['tools', 'prompts', 'resources']) {
      expect(raw.notices(`notifications/${list}/list_changed`), list).toHaveLength(1);
    }
  });

  clause(['11/lifecycle/14'], 'sends no request that was not agreed', async () => {
    const raw = await rawClient(desk().server);
    await raw.shake(version, {});
    for (const name of ['greet', 'think', 'both']) {
      const { error, result } = await raw.call('tools/call', { name, arguments: {} });
      expect(error !== undefined || result?.['isError'] === true, name).toBe(true);
    }
    expect(raw.frames.filter(({ id, method }) => id !== undefined && method !== undefined)).toEqual([]);
  });

  clause(['26/logging/5', '26/logging/2'], 'rejects an invalid log level', async () => {
    const raw = await rawClient(desk().server);
    await raw.shake(version);
    for (const level of ['loud', 7, undefined]) {
      expect((await raw.call('logging/setLevel', { level })).error?.code).toBe(-32602);
    }
    expect((await raw.call('logging/setLevel', { level: 'error' })).result).toEqual({});
    await raw.call('tools/call', { name: 'chatty' });
    expect(raw.notices('notifications/message').map(({ params }) => params?.['level'])).toEqual(['error']);
  });
});

describe('batches', () => {
  clause(['03/basic/13'], 'are accepted in 2025-03-26, each entry separately', async () => {
    const raw = await rawClient(desk().server);
    await raw.shake('2025-03-26');
    const from = raw.frames.length;
    raw.put([
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } },
      { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
    ]);
    await raw.quiet();
    expect(
      raw.frames
        .slice(from)
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['a', 'b']);
  });

  clause(['03/lifecycle/3'], 'do not open a session', async () => {
    const raw = await rawClient(desk().server);
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    raw.put([{ jsonrpc: '2.0', id: 'a', method: 'initialize', params }]);
    await raw.quiet();
    expect(raw.frames.flat().some(({ result }) => result !== undefined)).toBe(false);
    expect((await raw.call('tools/list')).error?.code).toBe(-32602);
  });
});

describe.each(legacy)('a client of %s', (version) => {
  clause(
    [
      '11/lifecycle/2',
      '11/lifecycle/4',
      '11/lifecycle/5',
      '11/lifecycle/7',
      '11/lifecycle/8',
      '11/lifecycle/1',
    ],
    'sends its name in the newest version it speaks, then that it is ready, then requests',
    async () => {
      const server = rawServer(() => ({ result: { tools: [] } }), version);
      const { remote } = await clientOf(server, { versions: legacy.slice(legacy.indexOf(version)) });
      await once(tools(remote).list());
      const [first, second, third] = server.frames;
      expect(first).toMatchObject({
        method: 'initialize',
        params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      });
      expect(second).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect(third?.method).toBe('tools/list');
    },
  );

  clause(
    ['11/lifecycle/12'],
    'closes the connection to a server that offers an unsupported version',
    async () => {
      const server = rawServer(() => undefined, '1999-01-01');
      const connecting = clientOf(server, { versions: [version] });
      await expect(connecting).rejects.toMatchObject({ code: 'NO_COMMON_VERSION' });
      await turn();
      expect(server.frames.map(({ method }) => method)).toEqual(['initialize']);
    },
  );

  clause(['11/ping/1'], 'answers a ping', async () => {
    const server = rawServer(() => undefined, version);
    await clientOf(server);
    server.put({ id: 'p', method: 'ping' });
    await turn();
    expect(server.frames.at(-1)).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
  });

  clause(['11/roots/4', '11/sampling/11'], 'without roots or a model answers -32601', async () => {
    const server = rawServer(() => undefined, version);
    await clientOf(server);
    for (const method of ['roots/list', 'sampling/createMessage']) {
      server.put({ id: method, method, params: {} });
      await turn();
      expect(server.frames.at(-1)).toMatchObject({ id: method, error: { code: -32601 } });
    }
  });
});
