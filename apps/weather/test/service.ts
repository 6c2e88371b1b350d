import { once } from 'node:events';
import { createServer, type RequestListener, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type ConnectedRemote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { onTestFinished, vi } from 'vitest';
import { weatherServer } from '../src/server.js';

/** What the stand-in for the weather service sends: a JSON value, or what a function makes of the request. */
export type ServiceResponse = object | RequestListener;

/** A stand-in for the weather service, and a client of a weather server that asks it. */
export interface Desk {
  readonly remote: ConnectedRemote;
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  /** The lines on standard error. */
  readonly logged: () => string;
}

/** Serves responses by their paths; all others have status 404. */
export async function startService(responses: Readonly<Record<string, ServiceResponse>>) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const found = responses[request.url ?? ''];
    if (typeof found === 'function') return void found(request, response);
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/geo+json' });
    response.end(JSON.stringify(found ?? { title: 'Data Unavailable For Requested Point' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Connects a client to a weather server whose service has these responses. */
export async function useWeather(
  responses:
    | Readonly<Record<string, ServiceResponse>>
    | ((origin: () => string) => Readonly<Record<string, ServiceResponse>>),
): Promise<Desk> {
  let origin = '';
  const service = await startService(typeof responses === 'function' ? responses(() => origin) : responses);
  origin = service.origin;
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => error.mockRestore());
  const link = memory();
  const handle = link.serve(weatherServer({ baseUrl: origin }));
  const remote = await connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  return { remote, ...service, logged: () => error.mock.calls.flat().join('\n') };
}
