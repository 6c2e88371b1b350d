import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpListener, listen, type ListenOptions } from '../../src/node.js';

async function listening(options: ListenOptions = {}) {
  const listener = await listen(options);
  onTestFinished(() => listener.stop());
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(listener.url('http', path), { headers: { connection: 'close' } });
    return `${String(response.status)} ${await response.text()}`;
  };
  return { listener, ask };
}

function serve(listener: HttpListener, path: string): () => void {
  return listener.route((request, response) => {
    if (request.url !== path) return false;
    response.end(`at ${path}`);
    return true;
  });
}

it('a request goes to the route that takes it, and to none after that has ended', async () => {
  const { listener, ask } = await listening();
  const end = serve(listener, '/a');
  expect([await ask('/a'), await ask('/b')]).toEqual(['200 at /a', '404 ']);
  end();
  listener.server.on('request', (_request, response) => void response.end('other'));
  expect(await ask('/a')).toBe('200 other');
});

it('a given server keeps what it serves, next to the routes and after them', async () => {
  const server = createServer((request, response) => void response.end(`given ${request.url ?? ''}`));
  onTestFinished(() => void server.close());
  const { listener, ask } = await listening({ server });
  const [endA, endB] = [serve(listener, '/a'), serve(listener, '/b')];
  expect([await ask('/a'), await ask('/b'), await ask('/c')]).toEqual([
    '200 at /a',
    '200 at /b',
    '200 given /c',
  ]);
  // The earlier route stands behind the later one.
  endA();
  expect([await ask('/a'), await ask('/b')]).toEqual(['200 given /a', '200 at /b']);
  endB();
  expect([await ask('/a'), await ask('/b')]).toEqual(['200 given /a', '200 given /b']);
});

it('a request that no route takes ends its connection where its body comes in chunks', async () => {
  const { listener } = await listening();
  serve(listener, '/a');
  const { port } = new URL(listener.url('http', '/'));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /other HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n');
  let text = '';
  for await (const data of socket) text += String(data);
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  // Node ends it after 30 s otherwise.
  expect(text).not.toContain(' 408 ');
});

describe('requests that are sent before the ones before them are answered', () => {
  /** Sends so many at once; resolves with what is received before the connection closes. */
  async function pipelined(listener: HttpListener, request: string, count: number): Promise<string> {
    const socket = connect(Number(new URL(listener.url('http', '/')).port), '127.0.0.1');
    socket.on('error', () => undefined).write(request.repeat(count));
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  }
  /** Node reports here each request that it has parsed. */
  const started = 'http.server.request.start';
  const unserved = 'GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n';

  it.each([
    ['that no route takes', unserved],
    ['with an unknown expectation', 'GET /a HTTP/1.1\r\nhost: localhost\r\nexpect: x\r\n\r\n'],
    ['without Host', 'GET /a HTTP/1.1\r\n\r\n'],
  ])('end their connection where more than 16 wait: requests %s', async (_what, request) => {
    const { listener } = await listening();
    serve(listener, '/a');
    let parsed = 0;
    const count = (): void => void (parsed += 1);
    subscribe(started, count);
    onTestFinished(() => void unsubscribe(started, count));
    await pipelined(listener, request, 1_000);
    // The first does not wait, and the 17th that waits is one too many. The rest is not parsed.
    expect(parsed).toBe(18);
  });

  it('are not counted on a given server, which serves them', async () => {
    const server = createServer((_request, response) => void response.end('given'));
    onTestFinished(() => void server.close());
    const { listener } = await listening({ server });
    serve(listener, '/a');
    const last = 'GET /x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
    const text = await pipelined(listener, `${unserved.repeat(100)}${last}`, 1);
    expect(text.split('HTTP/1.1 200').length - 1).toBe(101);
  });
});
