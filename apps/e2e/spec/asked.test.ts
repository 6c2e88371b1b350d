import { BehaviorSubject } from 'rxjs';
import type { Offer } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import type { Root } from 'rxmcp/roots';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling, openAiModel, type SamplingModel } from 'rxmcp/sampling';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import type { Frame } from './stage/frame.js';
import { at, legacy } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { until } from './stage/turn.js';

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

type Asked = (offers: readonly Offer[], method: string, params?: object) => Promise<Frame>;

async function askedOf(
  version: string,
  offers: readonly Offer[],
  method: string,
  params: object = {},
): Promise<Frame> {
  const server = rawServer(() => undefined, version);
  await clientOf(server, { offers });
  server.put({ id: 'q', method, params });
  return until(() => server.frames.find(({ id, method: name }) => id === 'q' && name === undefined));
}

const model: SamplingModel = () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' });

describe.each(legacy)('a client of %s that is asked', (version) => {
  const answered: Asked = (offers, method, params) => askedOf(version, offers, method, params);

  clause(
    ['11/roots/1', '11/sampling/5', '11/elicitation/4'],
    'declared in its handshake what it answers',
    async () => {
      const server = rawServer(() => undefined, version);
      const offers = [
        offerRoots([]),
        offerSampling(model, { approve: 'dangerouslyAlways' }),
        offerElicitation(() => ({ action: 'cancel' })),
      ];
      await clientOf(server, { offers });
      const { roots, sampling, elicitation } = server.frames.find(({ method }) => method === 'initialize')
        ?.params?.['capabilities'] as Record<string, unknown>;
      expect(roots).toBeDefined();
      expect(sampling).toBeDefined();
      if (version >= '2025-06-18') expect(elicitation).toBeDefined();
    },
  );

  clause(['26/roots/3'], 'for its roots answers with files', async () => {
    const { result } = await answered(
      [offerRoots([{ uri: 'file:///home/ada', name: 'home' }])],
      'roots/list',
    );
    expect(result?.['roots']).toEqual([{ uri: 'file:///home/ada', name: 'home' }]);
  });

  clause(['11/roots/2'], 'notifies when its roots change', async () => {
    const roots = new BehaviorSubject<readonly Root[]>([{ uri: 'file:///a' }]);
    const server = rawServer(() => undefined, version);
    await clientOf(server, { offers: [offerRoots(roots)] });
    roots.next([{ uri: 'file:///b' }]);
    const told = await until(() =>
      server.frames.find(({ method }) => method === 'notifications/roots/list_changed'),
    );
    expect(told).not.toHaveProperty('id');
  });

  clause(['26/sampling/14', '26/sampling/12'], 'for a completion keeps to the number of tokens', async () => {
    const long = Array.from({ length: 40 }, (_, i) => `Sentence ${i} says that rain falls on roofs.`).join(
      ' ',
    );
    // An endpoint that ignores the limit.
    const fetch = () => Promise.resolve(Response.json({ choices: [{ message: { content: long } }] }));
    const writing = openAiModel({ baseUrl: 'http://localhost/v1', model: 'm', fetch });
    const offer = offerSampling(writing, { approve: 'dangerouslyAlways' });
    const messages = [{ role: 'user', content: { type: 'text', text: 'What does rain do?' } }];
    const { result } = await answered([offer], 'sampling/createMessage', { messages, maxTokens: 12 });
    expect(result?.['role']).toBe('assistant');
    expect(String(at(result, 'content', 'text')).split(/\s+/).length).toBeLessThanOrEqual(12);
  });

  clause(
    ['26/sampling/16', '11/sampling/11', '26/sampling/12'],
    'for a completion rejects an invalid request',
    async () => {
      const offer = offerSampling(model, { approve: 'dangerouslyAlways' });
      const good = { role: 'user', content: { type: 'text', text: 'x' } };
      for (const params of [
        {},
        { messages: [good] },
        { messages: [{ ...good, role: 'system' }], maxTokens: 1 },
        { messages: [{ role: 'user' }], maxTokens: 1 },
      ]) {
        expect((await answered([offer], 'sampling/createMessage', params)).error?.code).toBe(-32602);
      }
    },
  );
});

describe.each(legacy.slice(0, 2))('a client of %s that is asked for input', (version) => {
  const answered: Asked = (offers, method, params) => askedOf(version, offers, method, params);

  clause(
    ['26/elicitation/8', '26/elicitation/5'],
    'treats an elicitation without a mode as a form',
    async () => {
      const seen: unknown[] = [];
      const form = offerElicitation((request) => {
        seen.push(request.message);
        return { action: 'accept', content: { name: 'Ada' } };
      });
      const { result } = await answered([form], 'elicitation/create', { message: 'Who?', requestedSchema });
      expect(seen).toEqual(['Who?']);
      expect(result).toEqual({ action: 'accept', content: { name: 'Ada' } });
    },
  );

  clause(['11/elicitation/30'], 'in a mode that it did not declare answers -32602', async () => {
    const form = offerElicitation(() => ({ action: 'decline' }));
    const params = { mode: 'url', message: 'Look', url: 'https://example.com/', elicitationId: 'e' };
    expect((await answered([form], 'elicitation/create', params)).error?.code).toBe(-32602);
  });
});

describe.each(legacy.slice(0, 2))('a server of %s that asks', (version) => {
  clause(
    ['26/elicitation/7', '26/elicitation/9', '26/sampling/12'],
    'says all that a question needs',
    async () => {
      const raw = await rawClient(desk().server);
      await raw.shake(version, { elicitation: {}, sampling: {}, roots: {} });
      raw.put({ id: 'g', method: 'tools/call', params: { name: 'greet', arguments: {} } });
      const asked = await until(() => raw.frames.find(({ method }) => method === 'elicitation/create'));
      expect(asked.params).toMatchObject({ message: 'Who is there?', requestedSchema: { type: 'object' } });
      expect([undefined, 'form']).toContain(asked.params?.['mode']);
      raw.put({ id: asked.id, result: { action: 'accept', content: { name: 'Ada' } } });
      const response = await until(() => raw.frames.find(({ id }) => id === 'g'));
      expect(at(response, 'result', 'content', 0, 'text')).toBe('Hello, Ada');
    },
  );

  clause(
    ['26/elicitation/22', '26/elicitation/44'],
    'takes a refusal, and refuses what does not fit',
    async () => {
      const raw = await rawClient(desk().server);
      await raw.shake(version, { elicitation: {} });
      const talk = async (id: string, reply: object): Promise<Frame> => {
        raw.put({ id, method: 'tools/call', params: { name: 'greet', arguments: {} } });
        const from = raw.frames.length;
        const asked = await until(() =>
          raw.frames.slice(from).find(({ method }) => method === 'elicitation/create'),
        );
        raw.put({ id: asked.id, ...reply });
        return until(() => raw.frames.find(({ id: one, method }) => one === id && method === undefined));
      };
      expect(at(await talk('d', { result: { action: 'decline' } }), 'result', 'content', 0, 'text')).toBe(
        'decline',
      );
      const wrong = await talk('w', { result: { action: 'accept', content: { name: 7 } } });
      expect(wrong.error !== undefined || wrong.result?.['isError'] === true).toBe(true);
      const failed = await talk('f', { error: { code: -32603, message: 'no' } });
      expect(failed.error !== undefined || failed.result?.['isError'] === true).toBe(true);
    },
  );
});
