import { defineServer, RpcError } from 'rxmcp';
import { elicitUrl, offerElicitation } from 'rxmcp/elicitation';
import { offerTools, text, tool } from 'rxmcp/tools';
import { describe, expect, vi } from 'vitest';
import { clause } from './stage/clause.js';
import type { Frame } from './stage/frame.js';
import { at } from './stage/frame.js';
import type { RawClient } from './stage/raw-client.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn, until } from './stage/turn.js';

const message = 'Connect your account.';
const url = 'https://example.com/connect';
const complete = 'notifications/elicitation/complete';
const canVisit = { elicitation: { url: {} } };

/** Asks to visit a page; the one that notifies says afterwards that the visit is over. */
const server = (page: string) =>
  defineServer({
    info: { name: 's', version: '1' },
    offers: [
      offerTools([
        tool('visit', {}, async (_args, ctx) =>
          text((await elicitUrl(ctx, 'page', { message, url: page })).action),
        ),
        tool('tell', {}, async (_args, ctx) => {
          const over = Promise.resolve();
          return text((await elicitUrl(ctx, 'page', { message, url: page, completed: () => over })).action);
        }),
      ]),
    ],
  });
const questionTo = (raw: RawClient): Promise<Frame> =>
  until(() => raw.frames.find(({ method }) => method === 'elicitation/create'));
const call = (name: string): object => ({ id: name, method: 'tools/call', params: { name, arguments: {} } });

describe('an ask to visit a page', () => {
  clause(['26/elicitation/11', '26/elicitation/12'], 'is sent with a message and its url', async () => {
    const raw = await rawClient(server(url));
    const { result } = await raw.modern('tools/call', { name: 'visit', arguments: {} }, canVisit);
    const [asked] = Object.values(result?.['inputRequests'] as object) as Frame[];
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { mode: 'url', message, url } });
    const older = await rawClient(server(url));
    await older.shake('2025-11-25', canVisit);
    older.put(call('visit'));
    const { params } = await questionTo(older);
    expect(params).toMatchObject({ mode: 'url', message, url, elicitationId: expect.stringMatching(/./) });
    expect(asked?.params).not.toHaveProperty('elicitationId');
  });

  clause(['26/elicitation/12'], 'is never sent without a valid url', async () => {
    for (const wrong of ['example.com', '', '/connect', 'https://']) {
      const raw = await rawClient(server(wrong));
      const response = await raw.modern('tools/call', { name: 'visit', arguments: {} }, canVisit);
      expect(response.result?.['inputRequests'], wrong).toBeUndefined();
      expect(response.error !== undefined || response.result?.['isError'] === true, wrong).toBe(true);
    }
  });

  clause(
    ['11/elicitation/13', '11/elicitation/14'],
    'is reported as complete to the client that was asked, by its id, and to no other',
    async () => {
      const shared = server(url);
      const [asked, other] = [await rawClient(shared), await rawClient(shared)];
      await asked.shake('2025-11-25', canVisit);
      await other.shake('2025-11-25', canVisit);
      asked.put(call('tell'));
      const { id, params } = await questionTo(asked);
      asked.put({ id, result: { action: 'accept' } });
      await until(() => asked.frames.find((frame) => frame.id === 'tell'));
      await turn();
      expect(asked.notices(complete).map((told) => told.params)).toEqual([
        { elicitationId: params?.['elicitationId'] },
      ]);
      expect(other.notices(complete)).toEqual([]);
    },
  );

  clause(['11/elicitation/15'], 'completes once, and no other id completes it', async () => {
    const over = vi.fn();
    const offers = [
      offerElicitation({
        url: ({ completed }) => {
          void completed?.then(over);
          return { action: 'accept' };
        },
      }),
    ];
    const raw = rawServer(() => undefined, '2025-11-25');
    const { remote, faults } = await clientOf(raw, { offers });
    raw.put({
      id: 'q',
      method: 'elicitation/create',
      params: { mode: 'url', message, url, elicitationId: 'e' },
    });
    await until(() => raw.frames.find(({ id, method }) => id === 'q' && method === undefined));
    for (const elicitationId of ['other', '', 7]) raw.put({ method: complete, params: { elicitationId } });
    await turn();
    expect(over).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i += 1) raw.put({ method: complete, params: { elicitationId: 'e' } });
    await turn();
    expect(over).toHaveBeenCalledTimes(1);
    expect(faults).toEqual([]);
    expect(remote.version).toBe('2025-11-25');
  });
});

describe('the error that requires visits to pages', () => {
  clause(['11/elicitation/17'], 'has no other meaning, and no handler can send it', async () => {
    expect(() => new RpcError(-32042, 'visit first')).toThrow(TypeError);
    const raw = await rawClient(server(url));
    await raw.shake('2025-11-25', {});
    for (const name of ['visit', 'tell', 'none']) {
      const response = await raw.call('tools/call', { name, arguments: {} });
      expect(response.error !== undefined || at(response, 'result', 'isError') === true, name).toBe(true);
      expect(response.error?.code, name).not.toBe(-32042);
    }
  });
});
