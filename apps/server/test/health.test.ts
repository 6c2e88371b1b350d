import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { once as happens } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { defineClient, type Health, once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { http } from 'rxmcp/http';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished } from 'vitest';
import { answerHealth } from '../src/listen/listener.js';
import { tempFolder } from './desk.js';
import { useProgram } from './program.js';

const start = useProgram();

interface Told {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

async function ask(
  base: string,
  method = 'GET',
  path = '/health',
  headers: Record<string, string | string[]> = {},
): Promise<Told> {
  const asked = request(new URL(path, base.replace(/^ws/, 'http')), { method, agent: false, headers });
  asked.end();
  const [response] = (await happens(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {
    status: response.statusCode,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}

it('every port reports whether the server is healthy, without a token', async () => {
  const program = start(['--root', await tempFolder(), '--http', '0', '--ws', '0'], {
    RXMCP_TOKENS: '{"ada":"open-sesame"}',
  });
  for (const url of await program.listening(2)) {
    expect(await ask(url)).toMatchObject({
      status: 200,
      body: { healthy: true },
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
    expect(await ask(url, 'HEAD', '/health?from=balancer')).toMatchObject({ status: 200, body: undefined });
    expect(await ask(url, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await ask(url, 'GET', '/healthy')).toMatchObject({ status: 404 });
  }
});

it('only a Host and an Origin of this machine may ask', async () => {
  const program = start(['--root', await tempFolder(), '--http', '0']);
  const [url = ''] = await program.listening(1);
  const status = async (headers: Record<string, string | string[]>): Promise<unknown> =>
    (await ask(url, 'GET', '/health', headers)).status;
  expect(await status({ host: 'evil.example' })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  expect(await status({ origin: ['http://localhost', 'https://evil.example'] })).toBe(403);
  expect(
    await status({ host: 'localhost', a: Array<string>(200).fill(''), origin: 'https://evil.example' }),
  ).toBe(403);
  expect(await status({ host: 'localhost', origin: 'http://localhost' })).toBe(200);
});

it('a server that drains is not, until its work is done', async () => {
  const { child, listening, ended } = start(['--root', await tempFolder(), '--http', '0']);
  const [url = ''] = await listening(1);
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const user = offerElicitation(async () => {
    asked();
    await isAnswered;
    return { action: 'accept', content: { body: 'written late', confirm: true } };
  });
  const remote = await defineClient({
    info: { name: 'desk', version: '1' },
    offers: [user],
    eras: ['legacy'],
  }).connect(http(url));
  onTestFinished(() => remote.close());
  const written = once(tools(remote).call('write_note', { title: 'late' }));
  await isAsked;
  child.kill('SIGTERM');
  const until = async (): Promise<Told> => {
    for (let told = await ask(url); ; told = await ask(url)) {
      if (told.status !== 200) return told;
      await pause(10);
    }
  };
  expect(await until()).toMatchObject({
    status: 503,
    body: { healthy: false, reason: 'the server is draining' },
  });
  answer();
  expect((await written).isError).not.toBe(true);
  expect(await ended).toBe(0);
});

it('the reason is reported as it is', async () => {
  const ill: Health = { healthy: false, reason: '9 requests wait for a place' };
  const server: Server = createServer((asked, response) => void answerHealth(asked, response, () => ill));
  server.listen(0, '127.0.0.1');
  await happens(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({ status: 503, body: ill });
});
