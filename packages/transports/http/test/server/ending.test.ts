import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { httpHandler } from '../../src/node.js';
import { listening, messagesIn, modern, post, request, until } from './calls.js';
import { Desk } from './desk.js';
import { greet, Reader, rigs } from './fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

describe.each(rigs)('fault 15: ending $name', ({ serve }) => {
  it('draining finishes what runs, asks streams to reconnect, and accepts nothing new', async () => {
    const rig = await serve();
    const headers = await greet(rig);
    const standing = new Reader(await rig.ask(listening(headers)));
    const [one, other] = [rig.ask(post(request('hold'), headers)), rig.ask(modern('hold'))];
    await until(() => rig.desk.holding === 2);
    await rig.drain({ timeoutMs: 5_000 });
    expect(await (await one).json()).toMatchObject({ result: { held: true } });
    expect(await (await other).json()).toMatchObject({ result: { held: true } });
    expect(await standing.rest()).toMatch(/retry: [12]\d{3}\n/);
    expect(rig.desk.seen.map(({ drains, closed }) => [drains, closed])).toEqual([
      [1, null],
      [1, null],
    ]);
    const late = await rig.ask(modern('echo')).catch(() => undefined);
    if (late !== undefined) expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    await rig.drain();
    await rig.close();
  });

  it('draining twice waits twice', async () => {
    const rig = await serve();
    const headers = await greet(rig);
    const asked = [rig.ask(post(request('hold'), headers)), rig.ask(modern('hold'))];
    await until(() => rig.desk.holding === 2);
    // The drain of a desk releases what it holds; here the test does so later.
    const { release } = rig.desk;
    rig.desk.release = () => undefined;
    const drained = [rig.drain({ timeoutMs: 5_000 }), rig.drain({ timeoutMs: 5_000 })];
    release.call(rig.desk);
    await Promise.all(drained);
    expect(await Promise.all(asked.map(async (response) => (await response).status))).toEqual([200, 200]);
    await rig.close();
  });

  it('fault 12: its clients are asked to reconnect at different times, from 1 s to 3 s', async () => {
    const rig = await serve();
    const streams = await Promise.all(
      Array.from({ length: 20 }, async () => new Reader(await rig.ask(listening(await greet(rig))))),
    );
    await rig.drain();
    const rests = await Promise.all(streams.map((stream) => stream.rest()));
    const told = rests.map((rest) => Number(/retry: (\d+)\n/.exec(rest)?.[1]));
    for (const ms of told) expect(ms >= 1_000 && ms < 3_000).toBe(true);
    expect(new Set(told).size).toBeGreaterThan(10);
    await rig.close();
  });

  it('closing answers pending requests', async () => {
    const rig = await serve();
    const headers = await greet(rig);
    const standing = new Reader(await rig.ask(listening(headers)));
    const waiting = [rig.ask(post(request('hold'), headers)), rig.ask(modern('hold'))];
    const told = new Reader(await rig.ask(modern('tell', { count: 1, hold: true })));
    await until(() => rig.desk.holding === 3);
    const closing = rig.close();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 503]);
    expect(messagesIn(await told.rest())).toHaveLength(1);
    await standing.rest();
    await closing;
    await rig.close();
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([null, null]);
  });

  it('a connection that the peer closes ends for its client only', async () => {
    const rig = await serve();
    const [one, other] = [await greet(rig), await greet(rig)];
    await rig.desk.sessions[0]?.connection.close();
    await rig.desk.sessions[0]?.connection.close();
    expect(rig.desk.sessions[0]?.closed).toBeNull();
    expect((await rig.ask(post(request('echo'), one))).status).toBe(404);
    expect((await rig.ask(post(request('echo'), other))).status).toBe(200);
    await rig.ask(modern('echo'));
    await rig.desk.sessionless?.connection.close();
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    expect(rig.desk.seen.map(({ closed }) => closed)).toEqual([null, undefined, null, undefined]);
    await rig.close();
  });

  it('fault 28: an acceptor that throws costs one response', async () => {
    const rig = await serve();
    const accept = vi.spyOn(rig.desk, 'accept').mockImplementation(() => {
      throw new Error('secret');
    });
    for (const init of [modern('echo'), post(request('initialize', { protocolVersion: '2025-11-25' }))]) {
      const response = await rig.ask(init);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    accept.mockRestore();
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    await rig.close();
  });

  it('fault 28: a receiver that throws gets a report and serves on', async () => {
    const rig = await serve();
    await rig.ask(modern('echo'));
    const [seen] = rig.desk.seen;
    const received = vi.spyOn(seen?.received ?? [], 'push').mockImplementation(() => {
      throw new Error('oops');
    });
    const asked = rig.ask(modern('echo'));
    await until(() => seen?.faults.length === 1);
    received.mockRestore();
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    await rig.close();
    expect((await asked).status).toBe(503);
  });
});

describe("fault 15: ending a handler in a server of the reader's own", () => {
  it.each(['drain', 'close'] as const)(
    'after its %s connections can be cut: every response is out',
    async (end) => {
      const desk = new Desk();
      const handler = httpHandler(desk);
      const server = createServer(handler);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
      const asked = Array.from({ length: 3 }, () => fetch(url, modern('hold')));
      await until(() => desk.holding === 3);
      await handler[end]();
      server.closeAllConnections();
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 3 }, () => (end === 'drain' ? 200 : 503)));
    },
  );

  it('a wrapper that ends every response itself finds a refusal ended already', async () => {
    const handler = httpHandler(new Desk());
    const server = createServer((request, response) => {
      handler(request, response);
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const probe = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, {
      method: 'PUT',
    });
    expect(probe.status).toBe(405);
    expect(await probe.json()).toMatchObject({ error: { message: expect.any(String) } });
    await handler.close();
  });
});
