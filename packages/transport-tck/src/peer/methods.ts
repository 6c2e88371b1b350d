import type { JsonObject } from '@rxmcp/jsonrpc';
import { pause } from '../harness/clock.js';
import type { PeerExchange } from './exchange.js';

/** The methods of the served side. */
export const methods: ReadonlyMap<string, (exchange: PeerExchange) => Promise<void>> = new Map([
  ['tck/echo', (x: PeerExchange) => x.result({ echo: x.params })],
  ['tck/length', (x) => x.result({ length: String(x.params['pad']).length })],
  ['tck/arrival', (x) => x.result(info(x))],
  ['tck/progress', progress],
  ['tck/push', push],
  ['tck/hold', hold],
  ['tck/release', release],
  ['tck/end', async (x) => x.endLane()],
  ['tck/refuse', refuse],
  ['tck/close', close],
  ['tck/never-read', neverRead],
  ['initialize', initialize],
]);

function info({ info: { lane, ...context } }: PeerExchange): JsonObject {
  return { ...context, ownLane: lane !== undefined };
}

/** `count` notifications in the lane of the request, then its result. */
async function progress(x: PeerExchange): Promise<void> {
  await notify(x);
  await x.result({});
}

async function notify(x: PeerExchange): Promise<void> {
  for (let index = 0; index < number(x, 'count'); index += 1) await x.notify('tck/progressed', { index });
}

/** The result, then `count` notifications on the standing stream. */
async function push(x: PeerExchange): Promise<void> {
  await x.result({});
  for (let index = 0; index < number(x, 'count'); index += 1) await x.requestClient('tck/pushed', { index });
}

/** `count` notifications in the lane; the result once `tck/release` has come on the same connection. */
async function hold(x: PeerExchange): Promise<void> {
  const released = new Promise<void>((resolve) => x.held.push(resolve));
  await notify(x);
  await released;
  await x.result({ echo: x.params });
}

/** The result, and that of every request on hold. */
async function release(x: PeerExchange): Promise<void> {
  for (const resume of x.held.splice(0)) resume();
  await x.result({});
}

/** An error that refuses the request with `refusal`. */
function refuse(x: PeerExchange): Promise<void> {
  return x.refuse(String(x.params['refusal']), number(x, 'code'));
}

/** `after` notifications in the lane and the result; then the served side closes. */
async function close(x: PeerExchange): Promise<void> {
  await progress({ ...x, params: { count: number(x, 'after') } });
  await x.close();
}

/** The result; then the whole process of the served side reads nothing for `forMs` milliseconds. */
async function neverRead(x: PeerExchange): Promise<void> {
  await x.result({});
  await pause(5);
  const end = performance.now() + number(x, 'forMs');
  while (performance.now() < end);
}

/** The opening of a session, in the revision that was asked for. */
function initialize(x: PeerExchange): Promise<void> {
  const protocolVersion = String(x.params['protocolVersion']);
  const serverInfo = { name: 'tck', version: '1.0.0' };
  return x.result(
    { protocolVersion, capabilities: {}, serverInfo },
    { version: protocolVersion, completesHandshake: true },
  );
}

function number(x: PeerExchange, name: string): number {
  return Number(x.params[name] ?? 0);
}
