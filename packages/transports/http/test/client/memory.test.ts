import { processMemory } from '@rxmcp/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerResponse } from 'node:http';
import { dialled, eventually, type Recording } from './recording.js';
import { events, resultOf, scripted } from './scripted.js';

const budget = processMemory();

/** Leaves so many bytes of the budget for the rest of the test. */
function leaving(bytes: number): void {
  const taken = budget.maxBytes - budget.heldBytes - bytes;
  expect(budget.tryCharge('the test', taken)).toBe(true);
  onTestFinished(() => budget.release('the test', taken));
}

describe('what a response takes while it arrives', () => {
  it.each(['application/json', 'text/event-stream'])(
    'is charged, and released at the end: %s',
    async (type) => {
      const ends: (() => void)[] = [];
      const before = budget.heldBytes;
      const server = await scripted((seen, response) => {
        const text = JSON.stringify(resultOf(seen, { x: 'x'.repeat(200_000) }));
        response.writeHead(200, { 'content-type': type });
        const body = type === 'application/json' ? text : `data: ${text}\n\n`;
        response.write(body.slice(0, 150_000));
        ends.push(() => response.end(body.slice(150_000)));
      });
      const client = await dialled(server.url);
      client.ask(1);
      await eventually(() => budget.heldBytes - before).toBe(150_000);
      ends[0]?.();
      await client.arrived(1);
      await eventually(() => budget.heldBytes).toBe(before);
      const lane = client.ask(2);
      await eventually(() => budget.heldBytes - before).toBe(150_000);
      client.connection.endLane(lane);
      await eventually(() => budget.heldBytes).toBe(before);
      const ofCaller = client.ask(3, 'tools/list', { holder: `caller of ${type}` });
      await eventually(() => budget.stats().largest).toContainEqual({
        holder: `caller of ${type}`,
        heldBytes: 150_000,
      });
      client.connection.endLane(ofCaller);
      await eventually(() => budget.heldBytes).toBe(before);
    },
  );

  it.each(['application/json', 'text/event-stream'])(
    'is refused beyond the budget, small ones are not: %s',
    async (type) => {
      const server = await scripted((seen, response) => {
        const text = JSON.stringify(
          resultOf(seen, { x: 'x'.repeat(seen.message['id'] === 1 ? 200_000 : 60_000) }),
        );
        response.writeHead(200, { 'content-type': type });
        response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
      });
      const client = await dialled(server.url);
      leaving(100_000);
      const held = budget.heldBytes;
      expect(await client.failure(client.ask(1))).toMatchObject({ code: 'OVERFLOW', outcome: 'unknown' });
      client.ask(2);
      await client.arrived(1);
      // What earlier connections held may be released meanwhile.
      expect(budget.heldBytes).toBeLessThanOrEqual(held);
    },
  );

  it('is reported for a request of the server, and not for a response', async () => {
    const ask = JSON.stringify({ jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: {} });
    const server = await scripted((seen, response) => {
      events(response).end(`data: ${ask}\n\ndata: ${JSON.stringify(resultOf(seen))}\n\n`);
    });
    const client = await dialled(server.url);
    client.ask(1);
    await client.arrived(2);
    expect(client.heldBytes.map((bytes) => bytes > ask.length)).toEqual([true, false]);
  });
});

describe('responses that wait until their server accepts them', () => {
  const respondTo = (client: Recording, id: number): Promise<void> =>
    client.connection.send(
      { jsonrpc: '2.0', id, result: { method: 'card', text: 'x'.repeat(10_000) } },
      { lane: {} },
    );

  it('are charged until they are posted, and nothing is at the end', async () => {
    const posts: ServerResponse[] = [];
    const server = await scripted((_seen, response) => void posts.push(response));
    const client = await dialled(server.url);
    const before = budget.heldBytes;
    const sent = Array.from({ length: 100 }, (_, id) => respondTo(client, id));
    expect(budget.heldBytes - before).toBeGreaterThan(100 * 20_000);
    void client.tell('notifications/roots/list_changed').catch(() => undefined);
    const held = budget.heldBytes;
    await eventually(() => posts.length).toBe(64);
    posts[0]?.writeHead(202).end();
    await sent[0];
    expect(held - budget.heldBytes).toBeGreaterThan(20_000);
    void client.connection.close();
    await Promise.allSettled(sent);
    await eventually(() => budget.heldBytes).toBe(before);
  });

  it('end the connection beyond the budget', async () => {
    const server = await scripted(() => undefined);
    const client = await dialled(server.url);
    leaving(100_000);
    const ends = await Promise.allSettled(Array.from({ length: 100 }, (_, id) => respondTo(client, id)));
    expect(client.closes).toMatchObject([{ code: 'OVERFLOW' }]);
    expect(ends.map(({ status }) => status)).toEqual(Array(100).fill('rejected'));
  });
});
