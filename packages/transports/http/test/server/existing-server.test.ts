import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../src/node.js';

it('on a server with a listener it answers its path only, and the listener has the rest, also afterwards', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('app');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handler = { accept: () => ({ drain: () => undefined }) };
  const first = await serveHttp(handler as never, { server, path: '/one' });
  const second = await serveHttp(handler as never, { server, path: '/two' });
  const status = async (path: string) => {
    const response = await fetch(base + path, { method: 'PUT' });
    await response.text();
    return response.status;
  };
  expect(await Promise.all(['/one', '/two', '/other'].map(status))).toEqual([405, 405, 200]);
  expect(seen).toEqual(['/other']);
  await first.close();
  expect(await Promise.all(['/one', '/two'].map(status))).toEqual([200, 405]);
  await second.close();
  expect(await Promise.all(['/one', '/two'].map(status))).toEqual([200, 200]);
  expect(server.listeners('request')).toHaveLength(1);
});
