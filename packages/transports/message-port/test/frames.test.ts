import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  connectToFrame,
  messagePort,
  serveFrames,
  type ServedWindow,
  type TargetWindow,
} from '../src/index.js';
import { MemoryBudget } from '@rxmcp/transport';
import { generousTimeouts } from '../../../../vitest.kit.js';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';

/** What two windows need of each other: an origin that the browser vouches for, and ports that travel. */
class Frame implements ServedWindow, TargetWindow {
  private readonly listeners = new Set<(event: MessageEvent) => void>();
  asked = 0;

  /** @param from The origin of the frame that posts to this window. */
  constructor(
    private readonly origin: string,
    private readonly from: string,
  ) {}

  addEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.listeners.delete(listener);
  }

  postMessage(data: unknown, targetOrigin: string, ports: MessagePort[]): void {
    this.asked += 1;
    if (targetOrigin !== this.origin) return;
    const event = { data: structuredClone(data), origin: this.from, ports } as unknown as MessageEvent;
    setImmediate(() => {
      for (const listener of this.listeners) listener(event);
    });
  }
}

const tools = 'https://tools.example';
const app = 'https://app.example';

describe('a frame', async () => {
  await verifyApplicableRules({
    test,
    async serve(acceptor) {
      const frame = new Frame(tools, app);
      const handle = serveFrames(acceptor, { allowedOrigins: [app], window: frame });
      // A frame that serves no longer does not answer.
      let connectTimeoutMs = 60_000;
      return {
        transport: messagePort((options) =>
          connectToFrame(frame, { targetOrigin: tools, connectTimeoutMs, ...options }),
        ),
        close() {
          connectTimeoutMs = 100;
          return handle.close();
        },
      };
    },
    options: generousTimeouts,
  });
});

test('a frame that still loads is asked until it answers, and serves one connection', async () => {
  const frame = new Frame(tools, app);
  const dialling = connectToFrame(frame, { targetOrigin: tools });
  await vi.waitUntil(() => frame.asked > 1, { interval: 5 });
  const seen: (string | undefined)[] = [];
  const ends: unknown[] = [];
  const acceptor = connectionHandler((connection) => {
    seen.push(connection.traits.principal);
    return { ...recording(), closed: (error) => void ends.push(error) };
  });
  const handle = serveFrames(acceptor, { allowedOrigins: [app], window: frame });
  onTestFinished(() => handle.close());
  const port = await dialling;
  expect(seen).toEqual([app]);
  const { asked } = frame;
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect([frame.asked, ends]).toEqual([asked, []]);
  port.close();
});

test('row 27: another origin is not served, and a window of another origin never sees a port', async () => {
  const stranger = new Frame(tools, 'https://app.example.evil');
  const handle = serveFrames(
    connectionHandler(() => {
      throw new Error('served');
    }),
    { allowedOrigins: [app], window: stranger },
  );
  onTestFinished(() => handle.close());
  const nobody = { code: 'DIAL_FAILED', outcome: 'not-sent' };
  await expect(connectToFrame(stranger, { targetOrigin: tools, connectTimeoutMs: 80 })).rejects.toMatchObject(
    nobody,
  );
  const elsewhere = new Frame('https://other.example', app);
  await expect(
    connectToFrame(elsewhere, { targetOrigin: tools, connectTimeoutMs: 80 }),
  ).rejects.toMatchObject(nobody);
});

test('one origin has half of the connections, which are charged to it, and further ones are rejected', async () => {
  const frame = new Frame(tools, app);
  const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
  const holders: unknown[] = [];
  const ends: unknown[] = [];
  const handler = connectionHandler(({ traits }) => {
    holders.push(traits.holder);
    return { ...recording(), closed: (error) => void ends.push(error) };
  });
  const handle = serveFrames(
    { ...handler, memory },
    { allowedOrigins: [app], window: frame, maxConnections: 4 },
  );
  onTestFinished(() => handle.close());
  const connect = () => connectToFrame(frame, { targetOrigin: tools, connectTimeoutMs: 60_000 });
  const first = await connect();
  await connect();
  const holder = `principal ${app}`;
  expect([holders, memory.stats().largest]).toEqual([[holder, holder], [{ holder, heldBytes: 24 * 1024 }]]);
  await expect(connect()).rejects.toMatchObject({
    code: 'DIAL_FAILED',
    message: expect.stringContaining('its share of "maxConnections", which is 4') as string,
  });
  first.postMessage({ rxmcp: 'bye' });
  await vi.waitUntil(() => ends.length === 1, { interval: 5 });
  await connect();
  expect(memory.heldBytes).toBe(24 * 1024);
});

test('a target that anybody could be is refused, and an aborted dial ends', async () => {
  const frame = new Frame(tools, app);
  await expect(connectToFrame(frame, { targetOrigin: '*' })).rejects.toThrow(TypeError);
  const abort = new AbortController();
  const dialling = connectToFrame(frame, { targetOrigin: tools, signal: abort.signal });
  abort.abort();
  await expect(dialling).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
});
