import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import type { Frame } from './stage/frame.js';
import { at, key, legacy, modern } from './stage/frame.js';
import type { Script } from './stage/raw-server.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn } from './stage/turn.js';

const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const offers = [
  offerRoots([{ uri: 'file:///home/ada' }]),
  offerElicitation(() => ({ action: 'accept', content: { name: 'Ada' } })),
  offerSampling(() => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }), {
    approve: 'dangerouslyAlways',
  }),
];
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const who = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };

/** Asks in each call until it gets answers, with a state that counts the rounds. */
function asking(inputRequests: object | undefined, state: (round: number) => object, rounds = 1): Script {
  const seen = new Map<unknown, number>();
  return ({ params }) => {
    const name = params?.['name'];
    const round = (seen.get(name) ?? 0) + 1;
    seen.set(name, round);
    if (round > rounds) return { result: done };
    return {
      result: { resultType: 'input_required', ...(inputRequests && { inputRequests }), ...state(round) },
    };
  };
}

describe('a client of the modern era', () => {
  clause(
    ['26/basic/44', '26/basic/47', '26/elicitation/4', '26/roots/2', '26/sampling/6'],
    'sends its version, name and capabilities with each request',
    async () => {
      const server = rawServer(() => ({ result: { resultType: 'complete', tools: [] } }));
      const { remote } = await clientOf(server, { offers });
      await once(tools(remote).list());
      await once(tools(remote).list());
      expect(server.frames.length).toBeGreaterThan(2);
      for (const { params } of server.frames) {
        expect(params?.['_meta']).toMatchObject({
          [key('protocolVersion')]: modern,
          [key('clientInfo')]: { name: 'c', version: '1' },
          [key('clientCapabilities')]: { roots: {}, sampling: {}, elicitation: { form: {} } },
        });
      }
    },
  );

  clause(
    ['26/basic/10', '26/basic/9'],
    'takes a result of a type that it does not know for none',
    async () => {
      for (const resultType of ['task', 'Complete', '', 7, null]) {
        // Neither what it says is taken, nor what it asks.
        for (const more of [{}, { requestState: 's' }, { inputRequests: { who } }]) {
          const server = rawServer(() => ({ result: { ...done, ...more, resultType } }));
          const { remote } = await clientOf(server, { offers });
          await expect(once(tools(remote).call('x'))).rejects.toMatchObject({ code: 'INVALID_RESULT' });
          expect(server.asked()).toHaveLength(1);
        }
      }
    },
  );

  clause(['26/basic/11'], 'treats a result without a type as a complete one', async () => {
    const server = rawServer(() => ({ result: { content: done.content } }));
    const { remote } = await clientOf(server);
    expect(await once(tools(remote).call('x'))).toMatchObject({ content: done.content });
  });

  clause(['26/basic/16'], 'gives no meaning to the codes that older implementations used', async () => {
    for (const code of [-32000, -32001, -32003, -32019]) {
      const server = rawServer(() => ({ error: { code, message: 'what it means is yours' } }));
      const { remote } = await clientOf(server);
      await expect(once(tools(remote).call('x'))).rejects.toMatchObject({
        code,
        message: 'what it means is yours',
      });
    }
  });

  clause(
    ['26/patterns/1', '26/stdio/6', '26/streamable-http/11'],
    'sends no answers, whatever is asked',
    async () => {
      const server = rawServer(() => undefined);
      await clientOf(server, { offers });
      for (const method of ['roots/list', 'elicitation/create', 'ping', 'sampling/createMessage']) {
        server.put({ id: method, method, params: who.params });
      }
      await turn();
      expect(server.frames.filter(({ method }) => method === undefined)).toEqual([]);
    },
  );

  clause(
    ['26/mrtr/15', '26/mrtr/16', '26/mrtr/19', '26/mrtr/3', '26/elicitation/8'],
    'answers what a result asks, and sends the request again with a new id and the state as it came',
    async () => {
      const state = ' {"looks":"like JSON"}\u0000\u2028= ';
      const server = rawServer(asking({ 'a key': who }, (round) => ({ requestState: state + round }), 3));
      const { remote } = await clientOf(server, { offers });
      await once(tools(remote).call('x', { a: 1 }));
      const calls = server.asked();
      expect(calls).toHaveLength(4);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
      for (const [round, { params }] of calls.entries()) {
        expect(params).toMatchObject({ name: 'x', arguments: { a: 1 } });
        if (round === 0) continue;
        expect(params?.['requestState']).toBe(state + round);
        expect(params?.['inputResponses']).toEqual({
          'a key': { action: 'accept', content: { name: 'Ada' } },
        });
      }
    },
  );

  clause(['26/mrtr/18'], 'sends no state where it received none', async () => {
    const server = rawServer(asking({ who }, (round) => (round === 1 ? { requestState: 'first' } : {}), 2));
    const { remote } = await clientOf(server, { offers });
    await once(tools(remote).call('x'));
    expect(server.asked().map(({ params }) => params?.['requestState'])).toEqual([
      undefined,
      'first',
      undefined,
    ]);
  });

  clause(['26/mrtr/20'], 'sends answers and state with no other request', async () => {
    const script = asking({ who }, () => ({ requestState: 'mine' }));
    const server = rawServer((frame) =>
      frame.params?.['name'] === 'other' ? { result: done } : script(frame),
    );
    const { remote } = await clientOf(server, { offers });
    await Promise.all([once(tools(remote).call('x')), once(tools(remote).call('other'))]);
    await once(tools(remote).call('other'));
    for (const { params } of server.asked().filter(({ params: p }) => p?.['name'] === 'other')) {
      expect(params).not.toHaveProperty('requestState');
      expect(params).not.toHaveProperty('inputResponses');
    }
  });

  clause(['26/roots/3'], 'sends roots that are files, and has no others', async () => {
    expect(() => offerRoots([{ uri: 'https://example.com/' }])).toThrow(TypeError);
    const server = rawServer(asking({ r: { method: 'roots/list' } }, () => ({ requestState: 's' })));
    const { remote } = await clientOf(server, { offers });
    await once(tools(remote).call('x'));
    expect(at(server.asked().at(-1)?.params, 'inputResponses', 'r', 'roots')).toEqual([
      { uri: 'file:///home/ada' },
    ]);
  });

  clause(['26/elicitation/43'], 'sends no answer that does not match its form', async () => {
    const wrong = [offerElicitation(() => ({ action: 'accept', content: { name: 7 as never } }))];
    const server = rawServer(asking({ who }, () => ({ requestState: 's' })));
    const { remote } = await clientOf(server, { offers: wrong });
    await expect(once(tools(remote).call('x'))).rejects.toBeDefined();
    expect(server.asked()).toHaveLength(1);
  });
});

describe('opening', () => {
  const discovered = (supportedVersions: readonly string[]): object => ({
    result: { resultType: 'complete', supportedVersions, capabilities: {} },
  });
  const shaken = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'old', version: '1' },
  };

  clause(['26/stdio/14'], 'probes before anything else', async () => {
    const server = rawServer(() => discovered([modern]), 'own');
    await clientOf(server);
    expect(server.frames.map(({ method }) => method)).toEqual(['server/discover']);
    expect(at(server.frames[0]?.params, '_meta', key('protocolVersion'))).toBe(modern);
  });

  clause(['26/stdio/15'], 'falls back to the handshake, whatever error the probe met', async () => {
    for (const code of [-32601, -32602, -32600, -32000, -32603, 1]) {
      const script: Script = ({ method }) =>
        method === 'server/discover' ? { error: { code, message: 'what?' } } : { result: shaken };
      const { remote } = await clientOf(rawServer(script, 'own'));
      expect(remote.version).toBe('2025-11-25');
    }
  });

  clause(
    ['26/versioning/2'],
    'picks a supported version from a refusal, or reports that none is supported',
    async () => {
      const refusing =
        (supported: readonly string[], then: object): Script =>
        ({ method }) => {
          const data = { supported, requested: modern };
          if (method !== 'server/discover') return then;
          return { error: { code: -32022, message: 'not this', data } };
        };
      const old = rawServer(refusing(['2025-11-25'], { result: shaken }), 'own');
      expect((await clientOf(old)).remote.version).toBe('2025-11-25');
      const strange = rawServer(refusing(['3000-01-01'], { result: shaken }), 'own');
      await expect(clientOf(strange)).rejects.toBeDefined();
      expect(strange.frames.map(({ method }) => method)).not.toContain('initialize');
    },
  );

  clause(['26/versioning/7'], 'probes once per connection', async () => {
    const server = rawServer(({ method }) =>
      method === 'tools/list' ? { result: { resultType: 'complete', tools: [] } } : undefined,
    );
    const { remote } = await clientOf(server);
    for (let i = 0; i < 3; i += 1) await once(tools(remote).list());
    expect(server.frames.filter(({ method }) => method === 'server/discover')).toHaveLength(1);
  });
});

describe.each([modern, ...legacy])('lists read by a client of %s', (version) => {
  const paged = (cursors: readonly unknown[]): { script: Script; asked: Frame[] } => {
    const asked: Frame[] = [];
    const script: Script = (frame) => {
      if (frame.method !== 'tools/list') return undefined;
      asked.push(frame);
      const nextCursor = cursors[asked.length - 1];
      const list = [{ name: `t${asked.length}`, inputSchema: { type: 'object' } }];
      return { result: { tools: list, ...(nextCursor === undefined ? {} : { nextCursor }) } };
    };
    return { script, asked };
  };

  clause(
    [
      '26/pagination/2',
      '26/pagination/4',
      '26/pagination/5',
      '26/pagination/6',
      '26/prompts/11',
      '26/caching/14',
    ],
    'are complete: each cursor is sent back as it came, an empty one too, and a missing one is the end',
    async () => {
      const cursors = ['', ' {"page":2} ', '\u0000=%2F', '0'];
      const { script, asked } = paged(cursors);
      const { remote } = await clientOf(rawServer(script, version));
      const all = await once(tools(remote).list());
      expect(all.map(({ name }) => name)).toEqual(['t1', 't2', 't3', 't4', 't5']);
      expect(asked.map(({ params }) => params?.['cursor'])).toEqual([undefined, ...cursors]);
    },
  );

  clause(
    ['26/caching/9', '26/caching/10', '26/caching/2'],
    'are asked for when they are wanted, and not before',
    async () => {
      const { script, asked } = paged([]);
      const { remote } = await clientOf(rawServer(script, version));
      await turn();
      expect(asked).toEqual([]);
      const list = tools(remote).list();
      await turn();
      expect(asked).toEqual([]);
      await once(list);
      await turn();
      expect(asked).toHaveLength(1);
    },
  );

  clause(['26/basic/19'], 'and a missing resource is recognised by the code of every revision', async () => {
    const capabilities = { resources: {} };
    for (const code of [-32002, -32602]) {
      const missing = { error: { code, message: 'not there', data: { uri: 'test://x' } } };
      const { remote } = await clientOf(rawServer(() => missing, version, capabilities));
      await expect(once(resources(remote).read('test://x'))).rejects.toMatchObject({ code });
    }
  });

  clause(['26/prompts/12', '11/lifecycle/14'], 'are not asked of a server that has none', async () => {
    const server = rawServer(() => undefined, version, {});
    const { remote } = await clientOf(server);
    expect(await once(tools(remote).list())).toEqual([]);
    await expect(once(tools(remote).call('x'))).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
    expect(server.asked()).toEqual([]);
  });
});
