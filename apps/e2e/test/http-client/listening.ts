import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request that a server got. */
export interface Got {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON-RPC method of its body. */
  readonly rpc: string | undefined;
  readonly response: ServerResponse;
}

/** A listener on loopback that ends with its test. */
export interface Listening {
  readonly url: string;
  readonly got: readonly Got[];
  /** Cuts the streams that are open, as a proxy does that has lost its patience; gives how many. */
  cut(method: string): number;
}

/** Listens, with the body of each request read already. */
export async function listening(
  handle: (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>,
): Promise<Listening> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      const { method = '', headers } = request;
      got.push({ method, headers, rpc: body?.method, response });
      await handle(request, response, body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    got,
    cut(method) {
      const open = got.filter(
        (one) => one.method === method && !one.response.writableEnded && !one.response.destroyed,
      );
      for (const { response } of open) response.destroy();
      return open.length;
    },
  };
}
