import { tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { key, legacy, metaOf, modern } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn } from './stage/turn.js';

describe.each([modern, ...legacy])('progress of %s', (version) => {
  const meta = version === modern ? metaOf() : {};

  clause(
    ['26/progress/3', '26/progress/5', '26/progress/8'],
    'grows, carries the token as it came, and ends before the response',
    async () => {
      const raw = await rawClient(desk().server);
      if (version !== modern) await raw.shake(version);
      for (const progressToken of ['mine', 0, '', 42]) {
        const from = raw.frames.length;
        const params = { name: 'steps', _meta: { ...meta, progressToken } };
        await raw.ask({ id: 5, method: 'tools/call', params });
        await raw.quiet();
        const told = raw.frames.slice(from);
        expect(told.at(-1)?.id).toBe(5);
        const steps = told.slice(0, -1).map(({ params: step }) => step);
        expect(steps.map((step) => step?.['progressToken'])).toEqual(steps.map(() => progressToken));
        const numbers = steps.map((step) => step?.['progress'] as number);
        expect(numbers).toEqual([1, 2, 3]);
      }
    },
  );

  clause(
    ['26/progress/5', '26/progress/1'],
    'is not sent without a token, or with an invalid one',
    async () => {
      const raw = await rawClient(desk().server);
      if (version !== modern) await raw.shake(version);
      for (const token of [undefined, null, 1.5, {}]) {
        const params = {
          name: 'steps',
          _meta: { ...meta, ...(token === undefined ? {} : { progressToken: token }) },
        };
        await raw.ask({ id: 5, method: 'tools/call', params });
      }
      expect(raw.notices('notifications/progress')).toEqual([]);
    },
  );

  clause(
    ['26/progress/1', '26/progress/2', '26/basic/5', '11/basic/5'],
    'has a token of its own for every call in flight, as every call has its id',
    async () => {
      const server = rawServer(() => undefined, version);
      const { remote } = await clientOf(server);
      for (let i = 0; i < 5; i += 1)
        tools(remote)
          .call('slow')
          .subscribe({ error: () => undefined });
      await turn();
      const tokens = server
        .asked()
        .map(({ params }) => (params?.['_meta'] as { progressToken: unknown }).progressToken);
      expect(tokens).toHaveLength(5);
      expect(new Set(tokens).size).toBe(5);
      for (const token of tokens) expect(typeof token === 'string' || Number.isInteger(token)).toBe(true);
      expect(new Set(server.frames.filter(({ id }) => id !== undefined).map(({ id }) => id)).size).toBe(
        server.frames.filter(({ id }) => id !== undefined).length,
      );
    },
  );

  clause(
    ['26/progress/6', '26/progress/8'],
    'reaches its call only, and no caller after the end',
    async () => {
      const server = rawServer(() => undefined, version);
      const { remote } = await clientOf(server);
      const heard: unknown[][] = [[], []];
      for (const mine of heard) {
        tools(remote)
          .events('slow')
          .subscribe({
            next: (event) => mine.push('progress' in event ? event.progress : event.type),
            error: () => undefined,
          });
      }
      await turn();
      const [first, second] = server.asked() as {
        id: unknown;
        params: { _meta: { progressToken: unknown } };
      }[];
      const tell = (progressToken: unknown, progress: number): void =>
        server.put({ method: 'notifications/progress', params: { progressToken, progress } });
      tell(first?.params._meta.progressToken, 1);
      tell(second?.params._meta.progressToken, 2);
      tell('nobody', 3);
      server.put({ id: first?.id, result: { content: [] } });
      tell(first?.params._meta.progressToken, 4);
      await turn();
      expect(heard).toEqual([[1, 'result'], [2]]);
    },
  );
});

describe('logs of the modern era', () => {
  clause(
    ['26/logging/3', '26/logging/4'],
    'go to the request that asked, at its level, before its response',
    async () => {
      const raw = await rawClient(desk().server);
      await raw.modern('tools/call', { name: 'chatty' });
      expect(raw.notices('notifications/message')).toEqual([]);
      await raw.modern('tools/call', { name: 'chatty' }, {}, { [key('logLevel')]: 'error' });
      expect(raw.notices('notifications/message').map(({ params }) => params?.['level'])).toEqual(['error']);
      await raw.modern('tools/call', { name: 'chatty' }, {}, { [key('logLevel')]: 'debug' });
      await raw.quiet();
      expect(raw.notices('notifications/message')).toHaveLength(3);
      expect(raw.frames.at(-1)?.result).toBeDefined();
      // What one request asked for is nothing to the next.
      await raw.modern('tools/call', { name: 'chatty' });
      expect(raw.notices('notifications/message')).toHaveLength(3);
    },
  );

  clause(['26/logging/5'], 'of an invalid level reject the request', async () => {
    const raw = await rawClient(desk().server);
    for (const level of ['loud', 7, null, '']) {
      const { error } = await raw.modern('tools/list', {}, {}, { [key('logLevel')]: level });
      expect(error?.code, String(level)).toBe(-32602);
    }
  });
});
