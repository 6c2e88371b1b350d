import { once } from 'node:events';
import { createServer, type RequestListener, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type ConnectedRemote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { onTestFinished, vi } from 'vitest';
import { weatherServer } from '../src/server.js';

/** What the stand-in for the weather service sends: a JSON value, or what a function makes of the request. */
export type Answer = object | RequestListener;

/** A stand-in for the weather service, and a client of a weather server that asks it. */
export interface Desk {
  readonly remote: ConnectedRemote;
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  /** The lines on standard error. */
  readonly logged: () => string;
}

/** Serves answers by their paths; all others have status 404. */
export async function startService(answers: Readonly<Record<string, Answer>>) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[request.url ?? ''];
    if (typeof answer === 'function') return void answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/geo+json' });
    response.end(JSON.stringify(answer ?? { title: 'Data Unavailable For Requested Point' }));
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

/** Connects a client to a weather server whose service has these answers. */
export async function useWeather(
  answers: Readonly<Record<string, Answer>> | ((origin: () => string) => Readonly<Record<string, Answer>>),
): Promise<Desk> {
  let origin = '';
  const service = await startService(typeof answers === 'function' ? answers(() => origin) : answers);
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
