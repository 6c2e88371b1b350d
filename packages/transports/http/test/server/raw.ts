import { connect, type Socket } from 'node:net';

/** Opens a socket to where a URL is served. */
export function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket;
}

/** Sends raw pieces and gives all that comes back until the other side closes. */
export function said(url: string, ...pieces: (string | Uint8Array)[]): Promise<string> {
  const socket = dial(url);
  for (const piece of pieces) socket.write(piece);
  return heard(socket);
}

/** All that comes until the other side closes. */
export function heard(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
  });
}

/** A raw POST; the body goes as it is. */
export function rawPost(body: string, headers: Record<string, string> = {}): string {
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
