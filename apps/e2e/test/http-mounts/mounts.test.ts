import { connect as dial } from 'node:net';
import { MemoryBudget } from '@rxmcp/transport';
import { defineServer } from 'rxmcp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { callers } from './callers.js';
import { desk } from './desk.js';
import { mounts } from './mounts.js';

const places = mounts.map((mounted, at) => ({ ...mounted, at }));

describe.each(places)('mounted: $name', ({ mount, at }) => {
  // But for an exhaustive run, the callers take turns; all of them call in the next test.
  const tried = callers.filter((_, caller) => exhaustive || caller % 3 === at % 3);
  it.each(tried)('$name calls, receives progress, is asked, reads and cancels', async ({ connect }) => {
    const waiting = { begun: 0, cancelled: 0 };
    const mounted = await mount(desk(waiting));
    const caller = await connect(mounted.url);
    expect(await caller.call('greet', { name: 'é' })).toBe('Hello, é, from anonymous');

    const steps: number[] = [];
    expect(await caller.call('count', { to: 3 }, { progress: (done) => steps.push(done) })).toBe(
      'Counted to 3.',
    );
    expect(steps).toEqual([1, 2, 3]);

    const asked = await caller.call('interview', {}).catch((error: unknown) => String(error));
    // Older revisions have no forms; what came before the form was asked all the same.
    expect(asked).toContain(caller.revision >= '2025-06-18' ? 'Ode: roses' : 'elicitation/create');
    expect(await caller.read('desk://value')).toBe('one');

    const abort = new AbortController();
    const call = caller.call('wait', {}, { signal: abort.signal }).catch((error: unknown) => error);
    await vi.waitUntil(() => waiting.begun === 1);
    abort.abort(new Error('enough'));
    expect(await call).toBeInstanceOf(Error);
    await vi.waitUntil(() => waiting.cancelled === 1);

    await caller.close();
    await mounted.close();
  });

  it('serves all of them at the same time', async () => {
    const mounted = await mount(desk());
    const all = await Promise.all(callers.map(({ connect }) => connect(mounted.url)));
    const said = await Promise.all(
      all.flatMap((caller, owner) =>
        Array.from({ length: 5 }, (_, at) =>
          caller.call('greet', { name: `${String(owner)}.${String(at)}` }),
        ),
      ),
    );
    const names = all.flatMap((_, owner) =>
      Array.from({ length: 5 }, (__, at) => `${String(owner)}.${String(at)}`),
    );
    expect(said).toEqual(names.map((name) => `Hello, ${name}, from anonymous`));
    await Promise.all(all.map((caller) => caller.close()));
    await mounted.close();
  });

  it('rejects an invalid message, with the error of the framework or of the library', async () => {
    const mounted = await mount(desk());
    for (const body of ['{', '1', '{"jsonrpc":"2.0"}', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`]) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const answer = await fetch(mounted.url, { method: 'POST', headers, body });
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 400]);
      await answer.text();
    }
    const foreign = { headers: { origin: 'https://evil.com', accept: 'text/event-stream' } };
    expect((await fetch(mounted.url, foreign)).status).toBe(403);
    await mounted.close();
  });
});

// A framework that parses bodies has read all of them before.
it.each(places.filter(({ name }) => !name.includes('parsed')))(
  '$name charges for a body that has not come in full',
  async ({ mount }) => {
    // Other files of this process use the budget of the process.
    const memory = new MemoryBudget({ maxBytes: 8_000_000 });
    const info = { name: 's', version: '1' };
    const mounted = await mount(defineServer({ info, offers: [], memory }));
    onTestFinished(() => mounted.close());
    const { port, host } = new URL(mounted.url);
    const socket = dial(Number(port), '127.0.0.1').on('error', () => undefined);
    const heads = [
      'POST /mcp HTTP/1.1',
      `host: ${host}`,
      'content-type: application/json',
      'accept: application/json, text/event-stream',
      'content-length: 1000001',
    ];
    socket.write(`${heads.join('\r\n')}\r\n\r\n${' '.repeat(1_000_000)}`);
    await vi.waitUntil(() => memory.heldBytes >= 1_000_000);
    socket.destroy();
    await vi.waitUntil(() => memory.heldBytes === 0);
  },
);
