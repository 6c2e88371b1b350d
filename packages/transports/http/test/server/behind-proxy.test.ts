import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forwardedAddress } from '@rxmcp/transport/guard';
import { expect, it, onTestFinished } from 'vitest';
import { post, request, until } from './calls.js';
import { served } from './served.js';

const nginx = '/usr/sbin/nginx';
if (!existsSync(nginx)) {
  const missing = `the test behind nginx needs ${nginx}: install the package nginx-light`;
  if (process.env['RXMCP_REQUIRE_NGINX'] === '1') throw new Error(missing);
  writeSync(2, `${missing}; it is skipped\n`);
}

/** A small reverse proxy. Returns its port. */
async function nodeProxy(upstream: number): Promise<number> {
  const proxy = createServer((incoming, response) => {
    const before = incoming.headers['x-forwarded-for'];
    const address = String(incoming.socket.remoteAddress);
    const forwarded = before === undefined ? address : `${String(before)}, ${address}`;
    const { method, url: path, headers } = incoming;
    const onward = httpRequest({
      port: upstream,
      host: '127.0.0.1',
      method,
      path,
      headers: { ...headers, 'x-forwarded-for': forwarded },
    });
    onward.on('response', (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.pipe(response);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An nginx in one process. Returns its port. */
async function nginxProxy(upstream: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rxmcp-nginx-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${String(port)}; location / {
    proxy_pass http://127.0.0.1:${String(upstream)}; proxy_set_header Host localhost;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } } }`,
  );
  const child = spawn(nginx, [
    '-p',
    folder,
    '-e',
    join(folder, 'error.log'),
    '-c',
    join(folder, 'nginx.conf'),
  ]);
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once('exit', resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  let isListening = false;
  const look = (): void => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => ((isListening = true), socket.destroy()));
    socket.on('error', () => setTimeout(look, 20));
  };
  look();
  await until(() => isListening);
  return port;
}

/** Sends a handshake from a loopback address of its own. Resolves with the status. */
function handshake(
  port: number,
  localAddress: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { body, headers: own } = post(
    request('initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
    { host: 'localhost', ...headers },
  );
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      localAddress,
      headers: own as Record<string, string>,
    });
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    sent.on('error', reject);
    sent.end(body);
  });
}

const proxies = [
  { name: 'of Node', start: nodeProxy },
  ...(existsSync(nginx) ? [{ name: 'nginx', start: nginxProxy }] : []),
];

it.each(proxies)('anonymous callers behind a proxy ($name) have shares of their own', async ({ start }) => {
  const rig = await served({ clientAddress: forwardedAddress(), maxSessions: 8 });
  const port = await start(Number(new URL(rig.url).port));
  const all: number[] = [];
  // The first caller claims another address each time.
  for (let at = 0; at < 8; at += 1)
    all.push(await handshake(port, '127.0.0.2', { 'x-forwarded-for': `198.51.100.${String(at)}` }));
  expect(all).toContain(503);
  expect(await handshake(port, '127.0.0.3')).toBe(200);
  const holders = new Set(rig.desk.sessions.map(({ connection }) => connection.traits.holder));
  expect([...holders].sort()).toEqual(['address 127.0.0.2', 'address 127.0.0.3']);
});

it('without clientAddress they have one share together', async () => {
  const rig = await served({ maxSessions: 8 });
  const port = await nodeProxy(Number(new URL(rig.url).port));
  await handshake(port, '127.0.0.2');
  await handshake(port, '127.0.0.3');
  const holders = new Set(rig.desk.sessions.map(({ connection }) => connection.traits.holder));
  expect([...holders]).toEqual(['address 127.0.0.1']);
});
