import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineServer } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { offerTools, tool } from 'rxmcp/tools';
import { expect, it, onTestFinished, vi } from 'vitest';

const info = { name: 'desk', version: '1.0.0' };

/** A call of the tool, which waits until `go`. */
interface Call {
  readonly signal: AbortSignal;
  go(): void;
  ended?: true;
}

/** Serves a tool that waits until `go`, and returns its calls; an official client of an older revision connects. */
async function waitingTool(sessions: boolean) {
  const calls: Call[] = [];
  const wait = tool('wait', async (_args, { signal }) => {
    const call = await new Promise<Call>((resolve) => {
      const waiting: Call = { signal, go: () => resolve(waiting) };
      calls.push(waiting);
    });
    call.ended = true;
    return 'done';
  });
  const handle = await serveHttp(defineServer({ info, offers: [offerTools([wait])] }), { sessions });
  onTestFinished(() => handle.close());
  const client = new Client(info, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
  onTestFinished(() => client.close());
  return { calls, client };
}

it.each([
  [true, 'ends the call in a session'],
  [false, 'does not end the call without sessions, and breaks nothing'],
])('with sessions %s: what an official client of an older revision cancels %s', async (sessions) => {
  const { calls, client } = await waitingTool(sessions);
  const cancelling = new AbortController();
  const cancelled = client.callTool({ name: 'wait', arguments: {} }, { signal: cancelling.signal });
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  cancelling.abort();
  await expect(cancelled).rejects.toThrow();
  if (sessions) await vi.waitFor(() => expect(calls[0]?.signal.aborted).toBe(true));
  const next = client.callTool({ name: 'wait', arguments: {} });
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  for (const { go } of calls) go();
  await expect(next).resolves.toMatchObject({ content: [{ text: 'done' }] });
  await vi.waitFor(() => expect(calls[0]?.ended).toBe(true));
  expect(calls[0]?.signal.aborted).toBe(sessions);
});
