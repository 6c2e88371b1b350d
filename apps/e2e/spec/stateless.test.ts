import { describe, expect } from 'vitest';
import { defineServer } from 'rxmcp';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { at, key, legacy, metaOf, modern } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';

const canElicit = { elicitation: { form: {} } };

describe('a request of the modern era', () => {
  clause(
    ['26/basic/45', '26/basic/44'],
    'without its version or the capabilities of its client is -32602',
    async () => {
      const raw = await rawClient(desk({ eras: ['modern'] }).server);
      for (const lacking of ['protocolVersion', 'clientCapabilities']) {
        const _meta = Object.fromEntries(Object.entries(metaOf()).filter(([name]) => name !== key(lacking)));
        const { error } = await raw.call('tools/list', { _meta });
        expect(error, lacking).toMatchObject({ code: -32602 });
        expect(error?.message).toContain(lacking);
      }
      expect((await raw.call('tools/list')).error?.code).toBe(-32602);
    },
  );

  clause(['26/basic/47'], 'need not name its client', async () => {
    const raw = await rawClient(desk().server);
    const _meta = Object.fromEntries(Object.entries(metaOf()).filter(([name]) => name !== key('clientInfo')));
    expect((await raw.call('tools/list', { _meta })).result).toBeDefined();
  });

  clause(
    ['26/basic/23', '26/basic/48', '26/basic/49', '26/mrtr/12', '26/elicitation/6'],
    'counts by what itself declares, not by what came before it',
    async () => {
      const raw = await rawClient(desk().server);
      const greet = { name: 'greet', arguments: {} };
      const able = await raw.modern('tools/call', greet, canElicit);
      expect(able.result?.['resultType']).toBe('input_required');
      const unable = await raw.modern('tools/call', greet, {});
      expect(unable.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      });
      const otherwise = await raw.modern('tools/call', greet, { elicitation: { url: {} } });
      expect(otherwise.error?.code).toBe(-32021);
    },
  );

  clause(['26/basic/23'], 'inherits nothing from a handshake on the same pipe', async () => {
    const raw = await rawClient(desk().server);
    await raw.shake('2025-11-25', { elicitation: {}, roots: {} });
    const { error } = await raw.modern('tools/call', { name: 'greet', arguments: {} }, {});
    expect(error?.code).toBe(-32021);
  });

  clause(
    ['26/basic/24', '26/basic/25'],
    'is independent of others, over one connection or several',
    async () => {
      const { server } = desk();
      const one = await rawClient(server);
      const asked = await Promise.all([
        one.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
        one.modern('prompts/get', { name: 'brief', arguments: { topic: 'x' } }),
        one.modern('tools/list'),
      ]);
      expect(asked.every(({ result }) => result !== undefined)).toBe(true);
      const first = asked[2]?.result as { nextCursor: string };
      await one.close();
      const two = await rawClient(desk().server);
      const next = await two.modern('tools/list', { cursor: first.nextCursor });
      expect(next.result?.['tools']).toHaveLength(5);
    },
  );

  clause(['26/versioning/1'], 'in an unsupported version is -32022 with the supported ones', async () => {
    const raw = await rawClient(desk().server);
    for (const requested of ['1900-01-01', '2999-12-31', 'v9']) {
      const _meta = { ...metaOf(), [key('protocolVersion')]: requested };
      const { error } = await raw.call('tools/list', { _meta });
      expect(error).toMatchObject({ code: -32022, data: { requested } });
      expect(at(error, 'data', 'supported')).toEqual([modern, ...legacy]);
    }
  });

  clause(['26/basic/52', '26/discover/4'], 'is served the same whatever name its client gives', async () => {
    const raw = await rawClient(desk().server);
    const responses = [];
    for (const name of ['a', 'Claude', '']) {
      const { result } = await raw.modern(
        'tools/list',
        {},
        {},
        { [key('clientInfo')]: { name, version: '9' } },
      );
      responses.push(JSON.stringify(result));
    }
    expect(new Set(responses).size).toBe(1);
  });
});

describe('server/discover', () => {
  clause(['26/versioning/3', '26/basic/1'], 'is available, also where nothing is offered', async () => {
    const raw = await rawClient(defineServer({ info: { name: 'bare', version: '1' }, offers: [] }));
    const { result } = await raw.modern('server/discover');
    expect(result).toMatchObject({ supportedVersions: [modern, ...legacy], capabilities: {} });
  });

  clause(
    ['26/prompts/2', '26/resources/2', '26/tools/4', '26/logging/2'],
    'declares what is offered, and nothing else',
    async () => {
      const raw = await rawClient(desk().server);
      const { result } = await raw.modern('server/discover');
      expect(result?.['capabilities']).toEqual({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
      });
    },
  );

  clause(
    ['26/versioning/8'],
    'is all that a modern server has for an initialize, with its versions',
    async () => {
      const raw = await rawClient(desk({ eras: ['modern'] }).server);
      const clientInfo = { name: 'old', version: '1' };
      const { error } = await raw.call('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo,
      });
      expect(JSON.stringify(error)).toContain(modern);
    },
  );
});
