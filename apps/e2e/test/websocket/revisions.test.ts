import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearer } from '@rxmcp/transport/guard';
import { webSocket, type WebSocketOptions } from '@rxmcp/websocket';
import { serveWebSocket, type ServeWebSocketOptions, webSocketHandler } from '@rxmcp/websocket/node';
import { distinctUntilChanged, firstValueFrom, map, skipWhile, take, tap, toArray } from 'rxjs';
import { defineClient, once, type Remote, type ResourceContents } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newestRevisions } from '../matrix/revisions.js';
import { described, type Described } from './served.js';

interface Desk extends Described {
  readonly remote: Remote;
  readonly serving: Awaited<ReturnType<typeof serveWebSocket>>;
}

async function desk(
  version: string,
  serves: ServeWebSocketOptions = {},
  dials: WebSocketOptions = {},
): Promise<Desk> {
  const description = described();
  const serving = await serveWebSocket(description.server, serves);
  onTestFinished(() => serving.close());
  const client = defineClient({
    info: { name: 'desk', version: '1.0.0' },
    versions: [version],
    offers: [offerElicitation(() => ({ action: 'accept', content: { name: 'Ada' } }))],
  });
  const remote = await client.connect(webSocket(serving.url, dials));
  onTestFinished(() => remote.close());
  return { ...description, remote, serving };
}

function shown([first]: readonly ResourceContents[]): string | undefined {
  return first === undefined ? undefined : readText(first);
}

describe.each(newestRevisions)('our client and server over a WebSocket at $version', ({ version }) => {
  it('agree on it, list, call, and send progress before the result', async () => {
    const { remote } = await desk(version);
    expect(remote.version).toBe(version);
    const listed = await once(tools(remote).list());
    expect(listed.map(({ name }) => name)).toContain('count');
    const events = await firstValueFrom(tools(remote).events('count', { to: 3 }).pipe(toArray()));
    const kinds = events.filter(({ type }) => type !== 'log').map(({ type }) => type);
    expect(kinds).toEqual(['progress', 'progress', 'progress', 'result']);
  });

  it('calls in flight together each get their own answer', async () => {
    const { remote } = await desk(version);
    const calls = Array.from({ length: 200 }, (_, to) => once(tools(remote).call('count', { to: to % 7 })));
    const texts = (await Promise.all(calls)).map(({ content }) => (content[0] as { text: string }).text);
    expect(texts).toEqual(texts.map((_, to) => `counted to ${String(to % 7)}`));
  });

  it('the server asks the client', async () => {
    if (version < '2025-06-18') return;
    const { remote } = await desk(version);
    expect(await once(tools(remote).call('greet'))).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
  });

  it('a resource is watched', async () => {
    const { remote, temperature } = await desk(version);
    const values = resources(remote)
      .watch('sensor://temperature')
      .pipe(
        map(shown),
        tap((value) => value === '20' && temperature.next(21)),
        distinctUntilChanged(),
        take(2),
        toArray(),
      );
    expect(await firstValueFrom(values)).toEqual(['20', '21']);
  });

  it('cancelling a call tears its handler down', async () => {
    const { remote, torndown } = await desk(version);
    const leaving = tools(remote).call('hang').subscribe();
    await once(tools(remote).call('count', { to: 0 }));
    leaving.unsubscribe();
    await vi.waitUntil(() => torndown() === 1);
  });

  it('the principal of the handshake is the caller of the handler', async () => {
    const { remote } = await desk(
      version,
      { authenticate: bearer({ ada: 'open-sesame' }) },
      { headers: () => Promise.resolve({ authorization: 'Bearer open-sesame' }) },
    );
    expect(await once(tools(remote).call('whoami'))).toMatchObject({ content: [{ text: 'ada' }] });
  });

  it('fault 15: a drain lets a running call finish, then ends the remote', async () => {
    const { remote, serving, finish } = await desk(version);
    const result = once(tools(remote).call('slow'));
    await once(tools(remote).call('count', { to: 0 }));
    const drained = serving.drain({ timeoutMs: 60_000 });
    finish();
    expect(await result).toMatchObject({ content: [{ text: 'done' }] });
    await drained;
    const { status$ } = remote;
    const last = await firstValueFrom(status$.pipe(skipWhile(({ state }) => state !== 'closed')));
    expect(last).toMatchObject({ cause: { code: 'PEER_CLOSED', details: { closeCode: 1012 } } });
  });

  it('fault 15: after a restart behind the same port the next server is dialled', async () => {
    const [before, after] = [described(), described()];
    const [first, second] = [webSocketHandler(before.server), webSocketHandler(after.server)];
    let current = first;
    const listener = createServer().on('upgrade', (...args) => current.upgrade(...args));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    onTestFinished(async () => {
      await second.close();
      listener.close();
    });
    const client = defineClient({ info: { name: 'desk', version: '1.0.0' }, versions: [version] });
    const remote = await client.connect(webSocket(`ws://127.0.0.1:${String(port)}/`));
    onTestFinished(() => remote.close());
    const readings = firstValueFrom(
      resources(remote)
        .watch('sensor://temperature')
        .pipe(
          skipWhile((contents) => shown(contents) !== '7'),
          take(1),
        ),
    );
    await vi.waitUntil(() => before.temperature.observed);
    after.temperature.next(7);
    current = second;
    await first.drain({ timeoutMs: 1_000 });
    await readings;
    expect(await once(tools(remote).call('count', { to: 1 }))).toMatchObject({
      content: [{ text: 'counted to 1' }],
    });
  });
});

it('wrong credentials fail connect() with UNAUTHORIZED, and no other era is tried', async () => {
  const { server } = described();
  const authenticate = vi.fn(bearer({ ada: 'open-sesame' }));
  const serving = await serveWebSocket(server, { authenticate });
  onTestFinished(() => serving.close());
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
  const connecting = client.connect(webSocket(serving.url, { headers: { authorization: 'Bearer wrong' } }));
  await expect(connecting).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(authenticate).toHaveBeenCalledTimes(1);
});
