import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { bridge } from 'rxmcp';
import { serveSocket, socket } from 'rxmcp/stdio/net';
import type { Transport } from 'rxmcp/transport';
import { until } from './until.js';

/** A message as a test looks at it. */
export interface Raw {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly data?: Record<string, unknown> };
}

/** One end of a socket that speaks in lines, and reads on request. */
export class Line {
  /** What was read so far. */
  readonly heard: Raw[] = [];
  private rest = '';
  private answer: ((message: Raw) => void) | undefined;

  constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (text: string) => this.take(text));
    onTestFinished(() => void socket.destroy());
  }

  write(...messages: readonly object[]): void {
    this.socket.write(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
  }

  /** The same as one batch. */
  writeBatch(...messages: readonly object[]): void {
    this.socket.write(`${JSON.stringify(messages.map((each) => ({ jsonrpc: '2.0', ...each })))}\n`);
  }

  onMessage(answer: (message: Raw) => void): void {
    this.answer = answer;
  }

  /** Resolves once this end has had so many messages. */
  async has(count: number): Promise<void> {
    await until(() => this.heard.length >= count);
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Raw;
      this.heard.push(message);
      this.answer?.(message);
    }
  }
}

/** A bridge at a socket; the lines of a client, which has not said anything yet. */
export async function clientOf(
  back: Transport,
  faults: string[] = [],
  options: { writeTimeoutMs?: number } = {},
): Promise<Line> {
  const front = bridge(back, { onFault: ({ code }) => void faults.push(code) });
  const serving = await serveSocket(front, { port: 0, ...options });
  onTestFinished(() => serving.close());
  const one = connect(serving.port, '127.0.0.1');
  await once(one, 'connect');
  return new Line(one);
}

/** A server of lines that shakes hands and leaves all else to its test. */
export async function bareServer(
  options: { writeTimeoutMs?: number } = {},
): Promise<{ transport: Transport; line: () => Line }> {
  let line: Line | undefined;
  const server = createServer((one) => {
    const accepted = new Line(one);
    line = accepted;
    accepted.onMessage(({ id, method }) => {
      const serverInfo = { name: 'bare', version: '1' };
      const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
      if (method === 'initialize')
        accepted.write({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    transport: socket({ port, ...options }),
    line: () => {
      if (line === undefined) throw new Error('no client dialled');
      return line;
    },
  };
}

/** Shakes hands. */
export async function opened(line: Line, protocolVersion = '2025-11-25'): Promise<void> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion, capabilities: { roots: {} }, clientInfo };
  line.write({ id: 0, method: 'initialize', params }, { method: 'notifications/initialized' });
  await line.has(1);
  line.heard.length = 0;
}
