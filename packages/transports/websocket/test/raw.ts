import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A handshake as one likes it; `null` leaves a header out, an array sends it several times. */
export type Headers = Readonly<Record<string, string | readonly string[] | null>>;

/** A connection to a server, below its WebSocket. */
export interface Raw {
  /** The status of the response to the handshake. */
  readonly status: number;
  /** The whole head of the response. */
  readonly head: string;
  readonly socket: Socket;
  /** What has come after the head. */
  rest(): string;
  /** The status code of the close frame that comes; undefined where the connection ends without one. */
  closeCode(): Promise<number | undefined>;
}

const sound: Headers = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA==',
  'sec-websocket-protocol': 'mcp',
};

/** Sends a handshake over a socket of its own, and waits for nothing. */
export function ask(url: string, headers: Headers = {}): Socket {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host, ...sound, ...headers }).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  );
  socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Asks for an upgrade and waits for the response. */
export async function upgrade(url: string, headers: Headers = {}): Promise<Raw> {
  const socket = ask(url, headers);
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  const closed = once(socket, 'close');
  while (!bytes.includes('\r\n\r\n')) await Promise.race([once(socket, 'data'), closed]);
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.subarray(0, end).toString('latin1');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    socket,
    rest: () => bytes.subarray(end).toString(),
    async closeCode() {
      await closed;
      const said = bytes.subarray(end);
      const at = said.indexOf(0x88);
      return at < 0 ? undefined : said.readUInt16BE(at + 2);
    },
  };
}
