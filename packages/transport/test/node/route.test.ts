import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
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
