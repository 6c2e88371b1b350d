import { RpcError } from 'rxmcp';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { key, legacy, metaOf, modern } from './stage/frame.js';
import type { RawClient } from './stage/raw-client.js';
import { rawClient } from './stage/raw-client.js';

/** A client of each revision, and how it asks. */
async function opened(version: string): Promise<{ raw: RawClient; meta: object }> {
  const raw = await rawClient(desk().server);
  if (version !== modern) await raw.shake(version);
  return { raw, meta: version === modern ? { _meta: metaOf() } : {} };
}

describe.each([modern, ...legacy])('messages of %s', (version) => {
  clause(
    ['26/basic/2', '26/basic/3', '26/basic/6', '26/basic/7', '26/basic/12', '06/basic/8'],
    'a response has the id of its request, as it came, and either a result or an error',
    async () => {
      const { raw, meta } = await opened(version);
      for (const id of [7, 0, -1, 'seven', '']) {
        const good = await raw.ask({ id, method: 'tools/list', params: meta });
        expect(Object.keys(good).sort()).toEqual(['id', 'jsonrpc', 'result']);
        expect(good).toMatchObject({ jsonrpc: '2.0', id, result: {} });
        const bad = await raw.ask({ id, method: 'no/such', params: meta });
        expect(Object.keys(bad).sort()).toEqual(['error', 'id', 'jsonrpc']);
        expect(bad.id).toBe(id);
      }
    },
  );

  clause(
    ['26/basic/13', '26/basic/14', '26/basic/17', '26/basic/18'],
    'an error has a whole number and a message, and never a code that was removed or is reserved',
    async () => {
      const { raw, meta } = await opened(version);
      const asked: [string, object][] = [
        ['no/such', {}],
        ['tools/call', { name: 'none' }],
        ['tools/call', { name: 7 }],
        ['resources/read', { uri: 'test://none' }],
        ['resources/read', { uri: 'test://broken' }],
        ['prompts/get', { name: 'none' }],
        ['prompts/get', { name: 'broken' }],
        ['tools/list', { cursor: 'none' }],
      ];
      for (const [method, params] of asked) {
        const { error } = await raw.call(method, { ...params, ...meta });
        expect(Number.isInteger(error?.code), method).toBe(true);
        expect(error?.message, method).toMatch(/./);
        const known = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
        expect(version === modern ? known : [...known, -32002], method).toContain(error?.code);
      }
    },
  );

  clause(['26/basic/4'], 'an id of null is not an id', async () => {
    const { raw, meta } = await opened(version);
    raw.put({ id: null, method: 'tools/list', params: meta });
    await raw.quiet();
    expect(raw.frames.some(({ result }) => result?.['tools'] !== undefined)).toBe(false);
    expect(raw.frames.at(-1)?.error?.code).toBe(-32600);
  });

  clause(['26/basic/21'], 'a notification is never answered, whatever it is', async () => {
    const { raw, meta } = await opened(version);
    const before = raw.frames.length;
    raw.put({ method: 'notifications/nobody', params: meta });
    raw.put({ method: 'notifications/cancelled', params: {} });
    raw.put({ method: 'tools/list', params: meta });
    await raw.quiet();
    expect(raw.frames.length).toBe(before);
  });

  clause(['26/basic/39'], 'unknown reserved names are ignored', async () => {
    const { raw, meta } = await opened(version);
    for (const value of [null, 7, [], { a: 1 }, 'x']) {
      const strange = { [key('strange')]: value, 'mcp/strange': value, 'dev.modelcontextprotocol/x': value };
      const _meta = { ...(meta as { _meta?: object })._meta, ...strange };
      const { result } = await raw.call('tools/call', { name: 'add', arguments: { a: 1, b: 2 }, _meta });
      expect(result?.['content'], JSON.stringify(value)).toEqual([{ type: 'text', text: '3' }]);
    }
  });

  clause(['26/basic/22'], 'a notification of a server has no id', async () => {
    const { raw, meta } = await opened(version);
    const params = { name: 'steps', _meta: { ...(meta as { _meta?: object })._meta, progressToken: 't' } };
    await raw.ask({ id: 1, method: 'tools/call', params });
    const told = raw.notices('notifications/progress');
    expect(told.length).toBeGreaterThan(0);
    for (const frame of told) expect(Object.keys(frame).sort()).toEqual(['jsonrpc', 'method', 'params']);
  });
});

describe('codes of errors', () => {
  clause(
    ['26/basic/15'],
    'that older implementations used, or that are reserved, are rejected in handlers',
    () => {
      for (const code of [-32000, -32001, -32003, -32010, -32019, -32020, -32042, -32099]) {
        expect(() => new RpcError(code, 'mine'), String(code)).toThrow(TypeError);
      }
      expect(new RpcError(-31999, 'mine').code).toBe(-31999);
    },
  );
});

describe('results of the modern era', () => {
  clause(
    ['26/basic/8', '26/basic/51', '26/discover/3'],
    'name their type, and the server that answers',
    async () => {
      const raw = await rawClient(desk().server);
      const asked: [string, object][] = [
        ['server/discover', {}],
        ['tools/list', {}],
        ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
        ['resources/list', {}],
        ['resources/templates/list', {}],
        ['resources/read', { uri: 'test://text' }],
        ['prompts/list', {}],
        ['prompts/get', { name: 'brief', arguments: { topic: 'x' } }],
      ];
      for (const [method, params] of asked) {
        const { result } = await raw.modern(method, params);
        expect(result, method).toMatchObject({
          resultType: 'complete',
          _meta: { [key('serverInfo')]: { name: 'desk', version: '1.2.3' } },
        });
      }
    },
  );
});
