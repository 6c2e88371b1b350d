import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { legacy } from './stage/frame.js';
import { posts } from './stage/posts.js';
import { httpSession } from './stage/sessions.js';

const steps = (id: number | string): object => ({
  id,
  method: 'tools/call',
  params: { name: 'steps', _meta: { progressToken: id } },
});
const idsOf = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id as string);

describe.each(legacy.slice(0, 3))('a server of %s over Streamable HTTP', (version) => {
  clause(
    ['11/transports/7', '11/transports/30', '11/transports/18'],
    'takes posts and gets at one URL, and answers with JSON or a stream',
    async () => {
      const session = await httpSession(await posts(desk().server), version);
      const plain = await session.post({ id: 1, method: 'ping' });
      expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(plain.frames).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
      const stream = await session.post(steps(2));
      expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const { status, type } = await session.listen();
      expect([status, type]).toEqual([200, 'text/event-stream']);
    },
  );

  clause(['11/transports/30'], 'without sessions answers a GET with 405', async () => {
    const http = await posts(desk().server, { sessions: false });
    const { status } = await http.send({ headers: { accept: 'text/event-stream' } });
    expect(status).toBe(405);
  });

  clause(
    ['11/transports/24', '11/transports/25', '11/transports/26', '06/transports/20'],
    'says on a stream what belongs to its request, the response last, and ends it then',
    async () => {
      const session = await httpSession(await posts(desk().server), version);
      const [one, two] = await Promise.all([session.post(steps('one')), session.post(steps('two'))]);
      for (const [id, { frames }] of [
        ['one', one],
        ['two', two],
      ] as const) {
        // That the text is there at all shows that the stream ended.
        expect(frames.length).toBeGreaterThan(1);
        for (const told of frames.slice(0, -1)) {
          expect(told).toMatchObject({ method: 'notifications/progress', params: { progressToken: id } });
        }
        expect(frames.at(-1)).toMatchObject({ id, result: { content: [{ text: 'done' }] } });
      }
    },
  );

  clause(
    ['11/transports/32', '11/transports/34'],
    'says a thing on one stream only, and no response on the one that was asked for by a get',
    async () => {
      const { server, tools } = desk();
      const session = await httpSession(await posts(server), version);
      const standing = await session.listen();
      const posted = await session.post(steps('p'));
      tools.next(tools.value.slice(1));
      await standing.until('notifications/tools/list_changed');
      expect(standing.frames().map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
      const count = posted.frames.filter(({ method }) => method === 'notifications/progress').length;
      expect(posted.frames).toHaveLength(count + 1);
    },
  );

  clause(
    ['11/transports/35', '11/transports/36'],
    'gives each event of a session a unique id, which names its stream',
    async () => {
      const { server, tools } = desk();
      const session = await httpSession(await posts(server, { eventStore: {} }), version);
      const standing = await session.listen();
      const responses = await Promise.all(['a', 'b', 'c'].map((id) => session.post(steps(id))));
      tools.next(tools.value.slice(1));
      await standing.until('notifications/tools/list_changed');
      const ids = [...responses.flatMap(({ text }) => idsOf(text)), ...standing.ids()];
      expect(ids.length).toBeGreaterThan(6);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [at, id] of ['a', 'b', 'c'].entries()) {
        const [first = ''] = idsOf(responses[at]?.text ?? '');
        const again = await session.listen({ 'last-event-id': first });
        await again.until('"result"');
        expect(again.frames().at(-1)).toMatchObject({ id });
      }
    },
  );

  clause(
    ['11/transports/39', '11/transports/40'],
    'gives its sessions unguessable ids, in visible ASCII',
    async () => {
      const http = await posts(desk().server);
      const ids: string[] = [];
      for (let i = 0; i < 20; i += 1) ids.push((await httpSession(http, version)).id);
      expect(new Set(ids).size).toBe(20);
      for (const id of ids) {
        expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
        const others = ids.filter((other) => other !== id);
        expect(others.every((other) => other.slice(0, 16) !== id.slice(0, 16))).toBe(true);
      }
    },
  );
});

describe('requests that name no version', () => {
  const sum = { id: 1, method: 'tools/call', params: { name: 'sum', arguments: { of: [1, 2] } } };

  clause(['11/transports/49'], 'are of 2025-03-26 where the session does not say otherwise', async () => {
    const http = await posts(desk().server, { sessions: false });
    const asked = async (headers: Record<string, string>) => {
      const { status, frames } = await http.post({ jsonrpc: '2.0', ...sum }, headers);
      expect(status).toBe(200);
      return frames[0]?.result;
    };
    expect(await asked({ 'mcp-protocol-version': '2025-06-18' })).toHaveProperty('structuredContent');
    expect(await asked({ 'mcp-protocol-version': '2025-03-26' })).not.toHaveProperty('structuredContent');
    expect(await asked({})).not.toHaveProperty('structuredContent');
    const batch = await http.post([{ jsonrpc: '2.0', ...sum }], {});
    expect(batch.status).toBe(200);
    expect(batch.frames.flat()).toHaveLength(1);
  });

  clause(['11/transports/49'], 'are of the revision of their session', async () => {
    const http = await posts(desk().server);
    const { id } = await httpSession(http, '2025-06-18');
    const { frames } = await http.post({ jsonrpc: '2.0', ...sum }, { 'mcp-session-id': id });
    expect(frames[0]?.result).toHaveProperty('structuredContent');
  });
});
