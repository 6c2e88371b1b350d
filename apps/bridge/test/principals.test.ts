import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { bridge } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { memory } from 'rxmcp/memory';
import { bearer } from 'rxmcp/transport/guard';
import { usePrograms } from './program.js';
import { scene } from './scenes.js';

const { start, behind } = usePrograms();

// Only the clock of the listener is virtual: sockets and processes go on as they are.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

interface CallResponse {
  readonly result?: {
    readonly requestState?: string;
    readonly inputRequests?: object;
    readonly content?: object;
  };
  readonly error?: { readonly code: number };
}

/** Calls the tool that asks for roots, in 2026-07-28. */
async function where(url: string, token: string | undefined, params: object = {}): Promise<CallResponse> {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'where',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'where', ...params, _meta },
    }),
  });
  return (await response.json()) as CallResponse;
}

/** The rest of a call, with an answer to its ask. */
const answering = ({ result }: CallResponse) => ({
  requestState: result?.requestState,
  inputResponses: { r: { roots: [{ uri: 'file:///ada' }] } },
});
const answered = { result: { content: [{ type: 'text', text: 'file:///ada' }] } };

it('fault 38: each token has its own process, which rejects the state of a call of another token', async () => {
  const tokens = JSON.stringify({ ada: 'her-token', bob: 'his-token' });
  const program = start(['--http', '0', '--', ...behind()], { RXMCP_TOKENS: tokens });
  const [url = ''] = await program.listening(1);
  const asked = await where(url, 'her-token');
  expect(asked.result?.inputRequests).toHaveProperty('r');
  expect(await where(url, 'his-token', answering(asked))).toMatchObject({ error: { code: -32602 } });
  expect(await where(url, 'her-token', answering(asked))).toMatchObject(answered);
  expect(program.behind()).toHaveLength(2);
});

it('anonymous callers share one process, as they cannot be distinguished', async () => {
  const program = start(['--http', '0', '--', ...behind()]);
  const [url = ''] = await program.listening(1);
  const asked = await where(url, undefined);
  expect(await where(url, undefined, answering(asked))).toMatchObject(answered);
  expect(program.behind()).toHaveLength(1);
});

it('each principal has a connection to the server until it is idle, and counts as a client', async () => {
  const { server } = scene();
  const link = memory();
  const behindIt = link.serve(server);
  const faults: string[] = [];
  const front = bridge(link, { maxClients: 2, onFault: ({ code }) => void faults.push(code) });
  const listener = await serveHttp(front, {
    port: 0,
    authenticate: bearer({ ada: 'a', bob: 'b', eve: 'e' }),
    sessionIdleTimeoutMs: 120_000,
  });
  onTestFinished(async () => void (await Promise.all([listener.close(), behindIt.close()])));
  let open = 0;
  server.connections$.subscribe(({ length }) => (open = length));
  for (const token of ['a', 'b', 'a', 'b']) await where(listener.url, token);
  expect(open).toBe(2);
  expect(await where(listener.url, 'e')).toMatchObject({ error: { code: -31001 } });
  expect(faults).toEqual(['TOO_MANY_CLIENTS']);
  await vi.advanceTimersByTimeAsync(115_000);
  await where(listener.url, 'a');
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(open).toBe(1));
  // The rejected connection stays open for a moment, so that its client can retry in another revision.
  await vi.waitFor(async () =>
    expect((await where(listener.url, 'e')).result?.inputRequests).toHaveProperty('r'),
  );
  expect(open).toBe(2);
});
