import { http, type HttpOptions } from '@rxmcp/http';
import { type HttpServeHandle, serveHttp, type ServeHttpOptions } from '@rxmcp/http/node';
import { bearer } from '@rxmcp/transport/guard';
import { distinctUntilChanged, lastValueFrom, map, take, tap, timeout, toArray } from 'rxjs';
import { defineClient, type Fault, once, type Remote, type ResourceContents } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newestRevisions } from '../matrix/revisions.js';
import { described, type Described } from '../websocket/served.js';
import { certificate } from '../../../../vitest.certificate.js';
import { freePort } from '../../../../vitest.ports.js';
import { eventually } from './connected.js';

interface Desk extends Described {
  readonly remote: Remote;
  readonly serving: HttpServeHandle;
  readonly faults: Fault[];
}

const soon = { each: 60_000 };

async function desk(version: string, serves: ServeHttpOptions = {}, dials: HttpOptions = {}): Promise<Desk> {
  const description = described();
  const serving = await serveHttp(description.server, serves);
  onTestFinished(() => serving.close());
  const remote = await connect(serving.url, version, dials);
  const faults: Fault[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  return { ...description, remote, serving, faults };
}

async function connect(url: string, version: string, dials: HttpOptions = {}): Promise<Remote> {
  const client = defineClient({
    info: { name: 'desk', version: '1.0.0' },
    versions: [version],
    offers: [offerElicitation(() => ({ action: 'accept', content: { name: 'Ada' } }))],
  });
  const remote = await client.connect(http(url, dials));
  onTestFinished(() => remote.close());
  return remote;
}

function shown([first]: readonly ResourceContents[]): string | undefined {
  return first === undefined ? undefined : readText(first);
}

describe.each(newestRevisions)('our client and server over HTTP at $version', ({ version }) => {
  it('agree on it, list, call, and send progress before the result', async () => {
    const { remote, faults } = await desk(version);
    expect(remote.version).toBe(version);
    expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('count');
    const events = await lastValueFrom(
      tools(remote).events('count', { to: 3 }).pipe(toArray(), timeout(soon)),
    );
    const kinds = events.filter(({ type }) => type !== 'log').map(({ type }) => type);
    expect(kinds).toEqual(['progress', 'progress', 'progress', 'result']);
    expect(faults).toEqual([]);
  });

  it('calls in flight together each get their own answer, also of two clients', async () => {
    const { remote, serving } = await desk(version);
    const remotes = [remote, await connect(serving.url, version)];
    const texts = await Promise.all(
      remotes.map(async (one, at) => {
        const calls = Array.from({ length: 50 }, (_, to) =>
          once(tools(one).call('count', { to: (to + at) % 7 })),
        );
        return (await Promise.all(calls)).map(({ content }) => (content[0] as { text: string }).text);
      }),
    );
    for (const [at, said] of texts.entries())
      expect(said).toEqual(said.map((_, to) => `counted to ${String((to + at) % 7)}`));
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
        timeout(soon),
      );
    expect(await lastValueFrom(values)).toEqual(['20', '21']);
  });

  it('cancelling a call tears its handler down', async () => {
    const { remote, torndown } = await desk(version);
    const leaving = tools(remote).call('hang').subscribe();
    await once(tools(remote).call('count', { to: 0 }));
    leaving.unsubscribe();
    await eventually(torndown).toBe(1);
  });

  it('the principal is the caller of the handler', async () => {
    const { remote } = await desk(
      version,
      { authenticate: bearer({ ada: 'open-sesame' }) },
      { headers: () => Promise.resolve({ authorization: 'Bearer open-sesame' }) },
    );
    expect(await once(tools(remote).call('whoami'))).toMatchObject({ content: [{ text: 'ada' }] });
  });

  it('speak over TLS to clients that trust the certificate', async () => {
    const tls = certificate();
    const dispatcher = new Agent({ connect: { ca: tls.cert } });
    onTestFinished(() => dispatcher.close());
    const fetch = (url: string, init: RequestInit): Promise<Response> =>
      undiciFetch(url, { ...init, dispatcher } as Parameters<
        typeof undiciFetch
      >[1]) as unknown as Promise<Response>;
    const { remote, serving } = await desk(version, { tls }, { fetch });
    expect(serving.url).toMatch(/^https:/);
    expect(await once(tools(remote).call('count', { to: 1 }))).toMatchObject({
      content: [{ text: 'counted to 1' }],
    });
    const strangers = connect(serving.url, version);
    await expect(strangers).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
  });

  it('fault 15: a drain lets a running call finish', async () => {
    const { remote, serving, finish } = await desk(version);
    const result = once(tools(remote).call('slow'));
    await once(tools(remote).call('count', { to: 0 }));
    const drained = serving.drain({ timeoutMs: 60_000 });
    finish();
    expect(await result).toMatchObject({ content: [{ text: 'done' }] });
    await drained;
  });

  it('fault 16: after a restart at the same port the next server is used, and subscriptions continue', async () => {
    const port = await freePort();
    const { remote, serving } = await desk(version, { port });
    const after = described();
    after.temperature.next(7);
    const seen: (string | undefined)[] = [];
    const watching = resources(remote)
      .watch('sensor://temperature')
      .pipe(map(shown))
      .subscribe((value) => seen.push(value));
    onTestFinished(() => watching.unsubscribe());
    await eventually(() => seen.at(-1)).toBe('20');
    await serving.close();
    const next = await serveHttp(after.server, { port });
    onTestFinished(() => next.close());
    await eventually(() => seen.at(-1)).toBe('7');
    expect(await once(tools(remote).call('count', { to: 1 }))).toMatchObject({
      content: [{ text: 'counted to 1' }],
    });
  });
});

describe.each(newestRevisions.filter(({ version }) => version >= '2025-06-18'))(
  'our client and server over HTTP, with forms, at $version',
  ({ version }) => {
    it('the server asks the client', async () => {
      const { remote } = await desk(version);
      expect(await once(tools(remote).call('greet'))).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    });

    it('fault 15: a running call may still ask while the server drains, and no new client is accepted', async () => {
      const description = described();
      const serving = await serveHttp(description.server);
      onTestFinished(() => serving.close());
      let [isAsked, drains] = [(): void => undefined, (): void => undefined];
      const asked = new Promise<void>((resolve) => (isAsked = resolve));
      const draining = new Promise<void>((resolve) => (drains = resolve));
      const client = defineClient({
        info: { name: 'desk', version: '1.0.0' },
        versions: [version],
        offers: [
          offerElicitation(async () => {
            isAsked();
            await draining;
            return { action: 'accept', content: { name: 'Ada' } };
          }),
        ],
      });
      const remote = await client.connect(http(serving.url));
      onTestFinished(() => remote.close());
      const [slow, greeted] = [once(tools(remote).call('slow')), once(tools(remote).call('greet'))];
      await asked;
      const drained = serving.drain({ timeoutMs: 60_000 });
      const stranger = await connect(serving.url, version)
        .then((other) => once(tools(other).call('count', { to: 0 })))
        .then(
          () => 'served',
          () => 'refused',
        );
      expect(stranger).toBe('refused');
      drains();
      // In the modern era the question ended its request, so the answer would begin another one.
      if (version < '2026-07-28') expect(await greeted).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
      else await expect(greeted).rejects.toMatchObject({ code: -31001, retryable: true });
      description.finish();
      expect(await slow).toMatchObject({ content: [{ text: 'done' }] });
      await drained;
      await expect(fetch(serving.url)).rejects.toThrow('fetch failed');
    });
  },
);
