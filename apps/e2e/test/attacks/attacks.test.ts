import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import {
  type EndAttack,
  messageOf,
  modernHeaders,
  overHttp,
  overWebSocket,
  rawRequest,
  rawSockets,
} from './attacker.js';
import { type Attack, attacks } from './attacks.js';

const program = fileURLToPath(new URL('fixtures/server.ts', import.meta.url));
/** Together twice the heap of the server. */
const times = exhaustive ? 128 : 72;
/** One of each kind where not all run. */
const chosen = exhaustive ? attacks : attacks.filter((_, index) => index % 16 === 8);
const flags = ['--max-old-space-size=256', '--conditions=@rxmcp/source', '--import', 'tsx'];

describe('a server with a heap of 256 MB', { timeout: 120_000 }, () => {
  let server: ChildProcess;
  let port: number;

  beforeAll(async () => {
    server = spawn(process.execPath, [...flags, program], {
      cwd: fileURLToPath(new URL('fixtures', import.meta.url)),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Faults of the attacks are printed.
    server.stderr?.resume();
    [{ port }] = (await once(server, 'message')) as [{ port: number }];
  }, 60_000);
  afterAll(async () => {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  });

  /**
   * Calls a tool as someone who attacks nobody, and gives the status. Each call has a connection of its own: this
   * process attacks too, and while it makes its messages a server may close a connection that is idle.
   */
  async function called(): Promise<number> {
    const _meta = (messageOf(benign, 1) as { params: { _meta: object } }).params._meta;
    const params = { name: 'length', arguments: { pad: 'x' }, _meta };
    const response = await fetch(`http://127.0.0.1:${String(port)}/mcp`, {
      method: 'POST',
      headers: { ...modernHeaders('ada', 'tools/call', 'length'), connection: 'close' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    await response.text();
    return response.status;
  }

  async function heldBytes(): Promise<number> {
    server.send({});
    return ((await once(server, 'message')) as [{ heldBytes: number }])[0].heldBytes;
  }

  /** Calls as another caller all through an attack, and after it. */
  async function survives(attack: () => Promise<EndAttack> | EndAttack): Promise<void> {
    const statuses = new Set<number>();
    let isOver = false;
    const calling = async () => {
      while (!isOver) statuses.add(await called());
    };
    const attacking = async () => {
      const end = await attack();
      onTestFinished(end);
      for (let call = 0; call < 20; call += 1) statuses.add(await called());
      return end;
    };
    const [end] = await Promise.all([attacking().finally(() => (isOver = true)), calling()]);
    expect([...statuses]).toEqual([200]);
    expect([server.exitCode, server.signalCode]).toEqual([null, null]);
    expect(await heldBytes()).toBeLessThan(64 * 1024 * 1024);
    end();
  }

  it.each(chosen)(
    'serves others while $method of 3.9 MB come over $over, $era, bytes in $bytesIn, then $then',
    async (attack) => {
      await survives(() => (attack.over === 'http' ? overHttp : overWebSocket)(port, attack, times));
    },
  );

  it('serves others while 64 sockets only declare a body', async () => {
    const half = rawRequest({}, { ...modernHeaders('mallory', 'tools/call'), 'content-length': '4000000' });
    await survives(() => rawSockets(port, 64, half));
  });

  it('serves others while requests for large answers are pipelined and nothing is read', async () => {
    const message = messageOf({ ...benign, bytesIn: 'capabilities' }, 1) as { params: { name: string } };
    message.params.name = 'large';
    const one = rawRequest(message, modernHeaders('mallory', 'tools/call', 'large'));
    await survives(() => rawSockets(port, 4, one.repeat(100)));
  });

  it('has released everything but what handlers keep', async () => {
    await vi.waitFor(async () => expect(await heldBytes()).toBeLessThan(40 * 1024 * 1024), 30_000);
    expect(await called()).toBe(200);
  });
});

const benign: Attack = {
  over: 'http',
  era: 'modern',
  method: 'tools/call',
  bytesIn: 'capabilities',
  then: 'wait',
};
