import type { Offer, Remote } from '@rxmcp/core';
import { bridge, defineClient, defineServer, once } from '@rxmcp/core';
import { elicit, offerElicitation } from '@rxmcp/elicitation';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { offerTools, textOf, tool, tools } from '@rxmcp/tools';
import { firstValueFrom, ReplaySubject } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import { offerRemote, relayAsks } from '../src/index.js';
import { jsonSchema } from './json-schema.js';
import { info, legacy, modern, pairs } from './rig.js';

const sizes = jsonSchema({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });

async function listening(offers: readonly Offer[]): Promise<string> {
  const server = defineServer({ info: { name: 'shop', version: '1.0.0' }, offers });
  server.faults$.subscribe();
  const listener = await serveHttp(server, { port: 0 });
  onTestFinished(() => listener.close());
  return listener.url;
}

async function dialled(url: string, version: string, offers: readonly Offer[] = []): Promise<Remote> {
  const remote = await defineClient({ info, versions: [version], offers }).connect(http(url));
  remote.faults$.subscribe();
  onTestFinished(() => remote.close());
  return remote;
}

it.each(pairs)(
  'asks of two clients at a time reach the client whose call asks, outer %s, inner %s',
  async (outerVersion, innerVersion) => {
    const both$ = new ReplaySubject<void>(1);
    let calls = 0;
    const size = tool('size', async (_args, ctx) => {
      // Both calls are open before the first one asks.
      if ((calls += 1) === 2) both$.next();
      await firstValueFrom(both$);
      const answer = await elicit(ctx, { message: '?', schema: sizes });
      return answer.action === 'accept' ? String(answer.content['size']) : answer.action;
    });
    const inner = await dialled(await listening([offerTools([size])]), innerVersion, [relayAsks()]);
    const outer = await listening(offerRemote(inner));
    const answers = ['S', 'L'].map(async (answer) => {
      const user = offerElicitation(() => ({ action: 'accept', content: { size: answer } }));
      const remote = await dialled(outer, outerVersion, [user]);
      return textOf(await once(tools(remote).call('size')));
    });
    expect(await Promise.all(answers)).toEqual(['S', 'L']);
  },
);

it.each(['gateway', 'bridge'])(
  'what arrives for a caller of a %s is charged to that caller',
  async (kind) => {
    const inner = http(await listening([offerTools([tool('about', () => 'a shop')])]));
    const holders = new Map<unknown, string | undefined>();
    const watched: typeof inner = {
      name: 'watched',
      async dial(options) {
        const connection = await inner.dial(options);
        const send = connection.send.bind(connection);
        connection.send = (out, sendOptions) => {
          holders.set((out as { method?: unknown }).method, sendOptions?.holder);
          return send(out, sendOptions);
        };
        return connection;
      },
    };
    const authenticate = (): { principal: string } => ({ principal: 'ada' });
    let served: Parameters<typeof serveHttp>[0] = bridge(watched);
    if (kind === 'gateway') {
      const remote = await defineClient({ info }).connect(watched);
      onTestFinished(() => remote.close());
      served = defineServer({ info, offers: offerRemote(remote) });
    }
    const listener = await serveHttp(served, { port: 0, authenticate });
    onTestFinished(() => listener.close());
    const remote = await dialled(listener.url, modern);
    expect(textOf(await once(tools(remote).call('about')))).toBe('a shop');
    expect(holders.get('tools/call')).toBe('principal ada');
  },
);

it.each([legacy, modern])(
  'arguments that travel in headers do so on both sides, inner %s',
  async (version) => {
    const input = jsonSchema({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    });
    const where = tool('where', { input }, ({ region }) => String(region));
    const inner = await dialled(await listening([offerTools([where])]), version);
    const url = await listening(offerRemote(inner, { prefix: 'a' }));
    const remote = await dialled(url, modern);
    await once(tools(remote).list());
    expect(textOf(await once(tools(remote).call('a-where', { region: 'north' })))).toBe('north');
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'a-where',
        arguments: { region: 'north' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modern,
          'io.modelcontextprotocol/clientInfo': info,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': 'a-where',
        'mcp-param-region': 'south',
      },
      body: JSON.stringify(request),
    });
    expect(await response.json()).toMatchObject({ error: { code: -32020 } });
  },
);
