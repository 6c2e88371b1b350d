import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import express from 'express';
import { filter, firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs';
import { once } from 'rxmcp';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { say, visitor } from './pond.js';

/** A server made with the official SDK, mounted as its guide shows it, and what it saw. */
async function officialServer() {
  const transports = new Map<string, SSEServerTransport>();
  const seen = { cancelled: 0, left: 0 };
  const app = express();
  app.get('/sse', async (_request, response) => {
    const transport = new SSEServerTransport('/messages', response);
    transports.set(transport.sessionId, transport);
    response.on('close', () => {
      transports.delete(transport.sessionId);
      seen.left += 1;
    });
    await described(seen).connect(transport);
  });
  app.post('/messages', async (request, response) => {
    const transport = transports.get(String(request.query.sessionId));
    if (transport === undefined) response.status(400).send('No transport found for sessionId');
    else await transport.handlePostMessage(request, response);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/sse`;
  return { url, seen, transports, server };
}

function described(seen: { cancelled: number }): McpServer {
  const mcp = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true } } },
  );
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  let level = 0;
  mcp.registerTool(
    'climb',
    { inputSchema: { steps: z.number() } },
    async ({ steps }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken ?? 0;
      for (let step = 1; step <= steps; step += 1) {
        const params = { progressToken, progress: step, total: steps };
        await sendNotification({ method: 'notifications/progress', params });
      }
      return text(`climbed ${String(steps)}`);
    },
  );
  mcp.registerTool('ask', {}, async () => {
    const { roots } = await mcp.server.listRoots();
    const question = {
      role: 'user' as const,
      content: { type: 'text' as const, text: String(roots[0]?.name) },
    };
    const { content } = await mcp.server.createMessage({ messages: [question], maxTokens: 10 });
    return text(JSON.stringify(content));
  });
  mcp.registerTool('hang', {}, ({ signal }) => {
    signal.addEventListener('abort', () => (seen.cancelled += 1));
    return new Promise(() => undefined);
  });
  mcp.registerTool('rise', {}, async () => {
    level += 1;
    await mcp.server.sendResourceUpdated({ uri: 'pond://level' });
    return text(String(level));
  });
  mcp.registerTool('big', {}, () => text('x'.repeat(6 * 1024 * 1024)));
  mcp.registerResource('level', 'pond://level', {}, ({ href }) => ({
    contents: [{ uri: href, text: String(level) }],
  }));
  mcp.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  return mcp;
}

it('our client lists, calls and receives progress', async () => {
  const { url } = await officialServer();
  const remote = await visitor(url);
  expect([remote.info, remote.version]).toMatchObject([{ name: 'official' }, '2025-11-25']);
  expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('climb');
  const events = await lastValueFrom(tools(remote).events('climb', { steps: 3 }).pipe(toArray()));
  expect(events.map((event) => (event.type === 'progress' ? event.progress : event.type))).toEqual([
    1,
    2,
    3,
    'result',
  ]);
});

it('our client is asked, and answers', async () => {
  const { url } = await officialServer();
  expect(await say(await visitor(url), 'ask')).toContain('the pond');
});

it('our client watches a resource', async () => {
  const { url } = await officialServer();
  const remote = await visitor(url);
  const values = resources(remote)
    .watch('pond://level')
    .pipe(map(([value]) => (value === undefined ? '' : readText(value))));
  const both = firstValueFrom(values.pipe(take(2), toArray()));
  await firstValueFrom(values);
  await say(remote, 'rise');
  expect(await both).toEqual(['0', '1']);
});

it('our client cancels, and reads messages larger than it may send', async () => {
  const { url, seen } = await officialServer();
  const remote = await visitor(url);
  const call = tools(remote).call('hang').subscribe();
  expect(await say(remote, 'big')).toHaveLength(6 * 1024 * 1024);
  call.unsubscribe();
  await vi.waitUntil(() => seen.cancelled === 1);
});

it('our client leaves, and its session ends', async () => {
  const { url, seen, transports } = await officialServer();
  const remote = await visitor(url);
  expect(transports.size).toBe(1);
  await remote.close();
  await vi.waitUntil(() => seen.left === 1);
  expect(transports.size).toBe(0);
});

it('fault 8: a server that is cut ends the calls in flight, and is dialled once more', async () => {
  const { url, server, seen } = await officialServer();
  const remote = await visitor(url);
  const call = once(tools(remote).call('hang'));
  const failed = expect(call).rejects.toMatchObject({ outcome: 'unknown' });
  await say(remote, 'climb', { steps: 0 });
  const reopened = firstValueFrom(remote.status$.pipe(filter(({ state }) => state === 'reconnecting')));
  server.closeAllConnections();
  await failed;
  await reopened;
  await firstValueFrom(remote.status$.pipe(filter(({ state }) => state === 'open')));
  expect(await say(remote, 'climb', { steps: 1 })).toBe('climbed 1');
  expect(seen.left).toBe(1);
});
