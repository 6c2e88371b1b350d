import { expect, it, onTestFinished } from 'vitest';
import { fetchHandler, type HttpHandlerOptions } from '../../src/fetch.js';
import { modern } from './calls.js';
import { Desk } from './desk.js';

const bytesOf = 64 * 1024;

function serve(options: HttpHandlerOptions = {}): { ask(request: Request): Promise<Response> } {
  const handler = fetchHandler(new Desk(), options);
  onTestFinished(() => handler.close());
  return { ask: (request) => handler(request) };
}

function asking(headers: Record<string, string>, pad = ''): Request {
  const init = modern('echo', { pad });
  return new Request('http://localhost/mcp', {
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...headers },
  });
}

/** A request whose client disconnects in the middle of its body, without any other sign. */
function broken(headers: Record<string, string>): Request {
  let turn = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      turn += 1;
      if (turn === 1) controller.enqueue(new Uint8Array(bytesOf - 4_096).fill(0x20));
      else controller.error(new Error('gone'));
    },
  });
  const init = { ...modern('echo'), body, duplex: 'half' } as RequestInit;
  const all = { ...(init.headers as Record<string, string>), ...headers };
  return new Request('http://localhost/mcp', { ...init, headers: all });
}

it.each([
  ['with its length', { 'content-length': String(bytesOf - 4_096) }],
  ['in pieces', {} as Record<string, string>],
])('a web body %s that breaks off releases its buffer space', async (_, headers) => {
  const { ask } = serve({ maxMessageBytes: bytesOf, maxBufferedBytes: bytesOf });
  for (let i = 0; i < 3; i += 1) {
    expect((await ask(broken(headers))).status).toBe(400);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await ask(asking({}, 'x'.repeat(bytesOf - 8_192)))).status).toBe(200);
});

it.each([
  ['with its length', { 'content-length': '100' }],
  ['in pieces', {} as Record<string, string>],
])('rejects a body %s that other code has read or is reading', async (_, headers) => {
  const { ask } = serve();
  const read = asking(headers);
  await read.text();
  expect((await ask(read)).status).toBe(400);
  const locked = asking(headers);
  locked.body?.getReader();
  expect((await ask(locked)).status).toBe(400);
});

/** A request whose body has so many bytes, each in a piece of its own, which counts those that are read. */
function inBytes(count: number): { readonly request: Request; read(): number } {
  const text = String(modern('echo', { pad: 'ü'.repeat(300) }).body);
  const bytes = new TextEncoder().encode(text + ' '.repeat(count - Buffer.byteLength(text)));
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at === bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += 1)));
    },
  });
  const init = { ...modern('echo'), body, duplex: 'half' } as RequestInit;
  return { request: new Request('http://localhost/mcp', init), read: () => at };
}

it('a body in 1,023 pieces of one byte is read whole', async () => {
  const response = await serve().ask(inBytes(1_023).request);
  expect(await response.json()).toMatchObject({ result: { echo: { pad: 'ü'.repeat(300) } } });
});

it('a body in more pieces of one byte is 400, and is read no further', async () => {
  const { request, read } = inBytes(4_000);
  const response = await serve().ask(request);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('Send larger chunks, or a Content-Length') as string },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(read()).toBeLessThan(1_030);
});

/** A request with a body of so many pieces of 1 KiB, which counts those that are read. */
function lying(declared: number, pieces = Infinity): { readonly request: Request; read(): number } {
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (read === pieces) return controller.close();
      read += 1;
      controller.enqueue(new Uint8Array(1_024).fill(0x20));
    },
  });
  const init = { ...modern('echo'), body, duplex: 'half' } as RequestInit;
  const headers = { ...(init.headers as Record<string, string>), 'content-length': String(declared) };
  return { request: new Request('http://localhost/mcp', { ...init, headers }), read: () => read };
}

it('row 21: a web body that is longer than declared is 400, is read no further, and releases its bytes', async () => {
  const { ask } = serve({ maxMessageBytes: bytesOf, maxBufferedBytes: bytesOf });
  for (const declared of [0, 1_000, bytesOf - 100]) {
    const { request, read } = lying(declared);
    expect((await ask(request)).status).toBe(400);
    await new Promise((resolve) => setImmediate(resolve));
    expect(read() * 1_024).toBeLessThan(declared + 4 * 1_024);
  }
  expect((await ask(asking({}, 'x'.repeat(bytesOf - 8_192)))).status).toBe(200);
});

it("row 21: a body of an adapter's request that is longer than declared is 400", async () => {
  class AdapterRequest extends Request {}
  const { ask } = serve();
  const { request } = lying(1_000, 2);
  expect((await ask(new AdapterRequest(request))).status).toBe(400);
});
