import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { timing } from '../../src/client/time/timing.js';
import { dialled, eventually, type Recording, until } from './recording.js';
import { json, resultOf, scripted } from './scripted.js';

/** Answers a request of the server, in the lane on which it came. */
function respondTo(client: Recording, id: number, lane: object | undefined = {}): Promise<void> {
  const envelope = lane === undefined ? {} : { lane };
  return client.connection.send({ jsonrpc: '2.0', id, result: {} }, envelope);
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('fault 13: a server that asks and does not take the responses', () => {
  it('has 64 of them on their way, and gets the next in order when it takes one', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const server = await scripted((_seen, response) => {
      held.push(response);
      most = Math.max(most, held.filter(({ writableEnded }) => !writableEnded).length);
    });
    const client = await dialled(server.url);
    const sent = counted(200).map((id) => respondTo(client, id));
    await eventually(() => held.length).toBe(64);
    expect(server.sockets.size).toBe(64);
    held[0]?.writeHead(202).end();
    await until(() => held.length === 65);
    expect(server.seen[64]?.message['id']).toBe(64);
    for (let taken = 1; taken < 200; taken += 1) {
      await until(() => held.length > taken);
      held[taken]?.writeHead(202).end();
    }
    await Promise.all(sent);
    expect(server.seen.map(({ message }) => message['id']).sort((a, b) => Number(a) - Number(b))).toEqual(
      counted(200),
    );
    expect(most).toBe(64);
    expect(client.closes).toEqual([]);
  });

  it('has no more of them where it begins its replies and does not end them', async () => {
    const held: ServerResponse[] = [];
    const server = await scripted((seen, response) => {
      if (seen.message['method'] === 'barrier') return json(response, resultOf(seen));
      response.writeHead(202, { 'content-type': 'text/plain' }).write('x');
      held.push(response);
    });
    const client = await dialled(server.url, {}, { remainderTimeoutMs: 30_000 });
    const sent = counted(65).map((id) => respondTo(client, id));
    await Promise.all(sent.slice(0, 64));
    client.ask(1, 'barrier');
    await client.arrived(1);
    expect(held).toHaveLength(64);
    held[0]?.end();
    await sent[64];
    expect(held).toHaveLength(65);
  });

  it('is not waited for longer than 2 s to end such a reply', async () => {
    let open = 0;
    const server = await scripted((_seen, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
      response.writeHead(202, { 'content-type': 'text/plain' }).write('x');
    });
    expect(timing.remainderTimeoutMs).toBe(2_000);
    const client = await dialled(server.url, {}, { remainderTimeoutMs: 20 });
    await Promise.all(counted(200).map((id) => respondTo(client, id)));
    await eventually(() => open).toBe(0);
    expect(client.closes).toEqual([]);
  });

  it.each([
    ['in lanes', {}],
    ['in none', undefined],
  ])('loses the connection with OVERFLOW when 1,024 more wait %s', async (_where, lane) => {
    const server = await scripted(() => undefined);
    const client = await dialled(server.url);
    const sent = counted(64 + 1_024).map((id) => respondTo(client, id, lane));
    await until(() => server.seen.length >= 1);
    expect(client.closes).toEqual([]);
    sent.push(respondTo(client, 9_999, lane));
    // Nothing is delivered inside a send.
    expect(client.closes).toEqual([]);
    const ends = await Promise.allSettled(sent);
    expect(client.closes).toMatchObject([{ code: 'OVERFLOW' }]);
    expect(ends.every((end) => (end as { reason?: { code?: string } }).reason?.code === 'OVERFLOW')).toBe(
      true,
    );
    await eventually(() => server.sockets.size).toBe(0);
    await expect(respondTo(client, 1, lane)).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  it('has those aborted in turns that still wait at the end', async () => {
    const server = await scripted(() => undefined);
    const client = await dialled(server.url);
    let over = 0;
    for (const id of counted(64 + 1_024 + 1)) respondTo(client, id).catch(() => (over += 1));
    const perTurn: number[] = [];
    for (let before = 0; over < 1_089; before = over) {
      await new Promise(setImmediate);
      perTurn.push(over - before);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(256);
    expect(client.closes).toMatchObject([{ code: 'OVERFLOW' }]);
  });

  it('loses nothing that leaves before its turn', async () => {
    const held: ServerResponse[] = [];
    const server = await scripted((_seen, response) => void held.push(response));
    const client = await dialled(server.url);
    const sent = counted(64).map((id) => respondTo(client, id));
    const { signal, abort } = abortable();
    const waits = client.connection.send({ jsonrpc: '2.0', method: 'late' }, { lane: {}, signal });
    const next = respondTo(client, 64);
    await until(() => held.length === 64);
    abort();
    held[0]?.writeHead(202).end();
    await expect(waits).rejects.toMatchObject({ code: 'SEND_FAILED', outcome: 'not-sent' });
    await until(() => held.length === 65);
    for (const response of held) if (!response.writableEnded) response.writeHead(202).end();
    await Promise.all([...sent, next]);
    expect(server.seen.some(({ message }) => message['method'] === 'late')).toBe(false);
  });
});

describe('a server whose messages on a stream are not JSON', () => {
  it('has each of them reported, with turns for others in between, and its response arrives', async () => {
    const server = await scripted((seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data:{\n\n'.repeat(1_000) + `data:${JSON.stringify(resultOf(seen))}\n\n`);
    });
    const client = await dialled(server.url);
    client.ask(1);
    const perTurn: number[] = [];
    for (let before = 0; client.faults.length < 1_000; before = client.faults.length) {
      await new Promise(setImmediate);
      perTurn.push(client.faults.length - before);
    }
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(512);
    expect(await client.arrived(1)).toMatchObject([{ id: 1 }]);
    expect(client.faults.map(({ code }) => code)).toEqual(Array(1_000).fill('PARSE_ERROR'));
    expect(client.closes).toEqual([]);
  });
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
