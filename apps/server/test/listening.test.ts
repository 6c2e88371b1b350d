import { once as happens } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { defineClient, type Offer, once, type Remote } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { http } from 'rxmcp/http';
import { sse } from 'rxmcp/sse';
import { tools } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { webSocket } from 'rxmcp/websocket';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from './desk.js';
import { useProgram } from './program.js';

const start = useProgram();
const root = async (): Promise<readonly string[]> => ['--root', await tempFolder()];

async function connected(transport: Transport, offers: readonly Offer[] = []): Promise<Remote> {
  const remote = await defineClient({ info: { name: 'desk', version: '1' }, offers }).connect(transport);
  onTestFinished(() => remote.close());
  return remote;
}

async function sum(transport: Transport): Promise<unknown> {
  const remote = await connected(transport);
  const { content } = await once(tools(remote).call('calculate_sum', { a: 40, b: 2 }));
  return content[0];
}

/** The status of a request that a client of HTTP makes. */
async function status(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const asked = request(url.replace(/^ws/, 'http'), { headers, agent: false });
  asked.end();
  const [response] = (await happens(asked, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

/** A user who answers when `answer` is called. */
function slowUser(): { readonly user: Offer; readonly isAsked: Promise<void>; readonly answer: () => void } {
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const user = offerElicitation(async () => {
    asked();
    await isAnswered;
    return { action: 'accept', content: { body: 'written late', confirm: true } };
  });
  return { user, isAsked, answer };
}

const portOf = (url: string | undefined): string => new URL(url ?? '').port;

describe('listeners', () => {
  it('share a port where their ports are equal', async () => {
    const { listening } = start([...(await root()), '--http', '0', '--sse', '0', '--ws', '0']);
    const [overHttp = '', overSse = '', overWs = ''] = await listening(3);
    const port = portOf(overHttp);
    expect([overHttp, overSse, overWs]).toEqual([
      `http://127.0.0.1:${port}/mcp`,
      `http://127.0.0.1:${port}/sse`,
      `ws://127.0.0.1:${port}/mcp`,
    ]);
    for (const transport of [http(overHttp), sse(overSse), webSocket(overWs)])
      expect(await sum(transport)).toMatchObject({ text: '42' });
    expect(await status(`http://127.0.0.1:${port}/`)).toBe(404);
    expect(await status(`http://127.0.0.1:${port}/messages?sessionId=none`)).toBe(405);
    expect(
      await status(`http://127.0.0.1:${port}/sse`, { connection: 'upgrade', upgrade: 'websocket' }),
    ).toBe(404);
  });

  it('have ports of their own otherwise', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await happens(free, 'listening');
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const { listening } = start([...(await root()), '--ws', String(port), '--sse', '0']);
    const [overSse = '', overWs = ''] = await listening(2);
    expect(overWs).toBe(`ws://127.0.0.1:${port}/mcp`);
    expect(portOf(overSse)).not.toBe(String(port));
    for (const transport of [sse(overSse), webSocket(overWs)])
      expect(await sum(transport)).toMatchObject({ text: '42' });
    expect(await status(overWs)).toBe(426);
    expect(await status(`${overWs}/none`)).toBe(404);
  });

  it('end the program with 1 where a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await happens(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { ended, stderr } = start([...(await root()), '--http', String(port), '--ws', '0']);
    expect(await ended).toBe(1);
    expect(stderr()).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
    expect(stderr()).not.toContain('listening');
  });

  it('reject a client without a token, where there are tokens', async () => {
    const { listening } = start([...(await root()), '--http', '0', '--sse', '0', '--ws', '0'], {
      RXMCP_TOKENS: '{"ada":"open-sesame"}',
    });
    const [overHttp = '', overSse = '', overWs = ''] = await listening(3);
    const headers = { authorization: 'Bearer open-sesame' };
    for (const [transport, known] of [
      [http(overHttp), http(overHttp, { headers })],
      [sse(overSse), sse(overSse, { headers })],
      [webSocket(overWs), webSocket(overWs, { headers })],
    ] as const) {
      await expect(sum(transport)).rejects.toMatchObject({ code: 'UNAUTHORIZED', details: { status: 401 } });
      expect(await sum(known)).toMatchObject({ text: '42' });
    }
  });
});

describe('the end', () => {
  it('does not come with a reader of standard error that exits', async () => {
    const { child, listening } = start([...(await root()), '--http', '0']);
    const [url = ''] = await listening(1);
    child.stderr.destroy();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    // What it makes of these would be said there.
    for (let fault = 0; fault < 3; fault += 1) await fetch(url, { method: 'POST', headers, body: '{' });
    expect(await sum(http(url))).toMatchObject({ text: '42' });
  });

  it('comes with the end of input only where standard input is served', async () => {
    const { child, listening, ended } = start([...(await root()), '--http', '0']);
    const [url = ''] = await listening(1);
    child.stdin.end();
    expect(await sum(http(url))).toMatchObject({ text: '42' });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const both = start([...(await root()), '--http', '0', '--stdio']);
    await both.listening(1);
    both.child.stdin.end();
    expect(await both.ended).toBe(0);
  });

  it('is reported to clients over standard input and a socket alike', async () => {
    const both = start([...(await root()), '--ws', '0', '--stdio']);
    const [url = ''] = await both.listening(1);
    const response = happens(both.child.stdout, 'data');
    both.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(String((await response)[0])).toContain('"id":1');
    const remote = await connected(webSocket(url));
    both.child.kill('SIGTERM');
    expect(await both.ended).toBe(0);
    // It dials once more, in vain.
    expect(await lastValueFrom(remote.status$)).toMatchObject({ state: 'closed' });
  });

  const carried = { http, sse, ws: webSocket } as const;

  it.each(['http', 'sse', 'ws'] as const)(
    'fault 15: waits over --%s for running calls, which may still ask, and accepts no new ones',
    async (carrier) => {
      const { child, listening, ended } = start([
        ...(await root()),
        `--${carrier}`,
        '0',
        '--protocol',
        'legacy',
      ]);
      const [url = ''] = await listening(1);
      const { user, isAsked, answer } = slowUser();
      const remote = await connected(carried[carrier](url), [user]);
      const written = once(tools(remote).call('write_note', { title: 'late' }));
      await isAsked;
      child.kill('SIGTERM');
      await expect
        .poll(() =>
          sum(carried[carrier](url)).then(
            () => 'served',
            () => 'refused',
          ),
        )
        .toBe('refused');
      answer();
      expect(await written).toMatchObject({ content: [{ text: 'Added to the note "late".' }, {}] });
      expect(await ended).toBe(0);
    },
  );

  it('comes at once at the second signal', async () => {
    const { child, listening, ended } = start([...(await root()), '--ws', '0', '--protocol', 'legacy']);
    const [url = ''] = await listening(1);
    const { user, isAsked } = slowUser();
    const remote = await connected(webSocket(url), [user]);
    const written = once(tools(remote).call('write_note', { title: 'never' })).catch(
      (error: unknown) => error,
    );
    await isAsked;
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect([130, 143]).toContain(await ended);
    expect(await written).toMatchObject({ code: 'CONNECTION_LOST' });
  });
});
