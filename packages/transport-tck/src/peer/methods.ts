import type { JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import { pause } from '../base/clock.js';
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
  ['tck/reject', reject],
  ['tck/close', close],
  ['tck/never-read', neverRead],
  ['tck/respond', respond],
  ['tck/mirror', mirror],
  ['tck/odd', odd],
  ['tck/flood', flood],
  ['tck/ask', ask],
  ['initialize', initialize],
]);

function info({ info: { lane, ...context } }: PeerExchange): JsonObject {
  return { ...context, ownLane: lane !== undefined };
}

/** `count` notifications with `padLength` characters more in the lane of the request, then its result. */
async function progress(x: PeerExchange): Promise<void> {
  await notify(x);
  await x.result({});
}

async function notify(x: PeerExchange): Promise<void> {
  const padLength = number(x, 'padLength');
  const padded = padLength === 0 ? {} : { pad: 'x'.repeat(padLength) };
  for (let index = 0; index < number(x, 'count'); index += 1)
    await x.notify('tck/progressed', { index, ...padded });
}

/** The result, then `count` notifications on the standing stream. */
async function push(x: PeerExchange): Promise<void> {
  await x.result({});
  for (let index = 0; index < number(x, 'count'); index += 1) await x.requestClient('tck/pushed', { index });
}

/** `count` notifications in the lane; the result once `tck/release` has come on the same connection. */
async function hold(x: PeerExchange): Promise<void> {
  const released = new Promise<void>((release) => x.held.push({ key: x.params['key'], release }));
  await notify(x);
  await released;
  await x.result({ echo: x.params });
}

/** The result, and that of the requests on hold with one of the `keys`, in their order, or of all. */
async function release(x: PeerExchange): Promise<void> {
  const keys = x.params['keys'] as readonly unknown[] | undefined;
  const next = keys?.flatMap((key) => x.held.filter((held) => held.key === key)) ?? [...x.held];
  for (const held of next) {
    x.held.splice(x.held.indexOf(held), 1);
    held.release();
    await pause(1);
  }
  await x.result({});
}

/** A result of `length` times `unit`; where it is rejected, an error with the code of the rejection. */
async function respond(x: PeerExchange): Promise<void> {
  const text = String(x.params['unit']).repeat(number(x, 'length'));
  await x.result({ text }).catch((error: unknown) => {
    const { code, outcome } = error as { readonly code?: string; readonly outcome?: string };
    const data = { code: code ?? null, outcome: outcome ?? null };
    return x.send({ jsonrpc: '2.0', id: x.id, error: { code: -31_600, message: 'not sent', data } });
  });
}

/** A notification and a result, both with the `_meta` of the request. */
async function mirror(x: PeerExchange): Promise<void> {
  const { _meta = {} } = x.allParams;
  await x.send({ jsonrpc: '2.0', method: 'tck/mirrored', params: { _meta } } as JsonRpcMessage);
  await x.result({ params: x.allParams, _meta });
}

/** A notification and a response with members that no specification names. */
async function odd(x: PeerExchange): Promise<void> {
  const { params } = x;
  await x.send({ jsonrpc: '2.0', method: 'tck/progressed', params: {}, extension: params } as JsonRpcMessage);
  await x.send({ jsonrpc: '2.0', id: x.id, result: { odd: params }, extension: params } as JsonRpcMessage);
}

/** `count` notifications with `pad` at once, then the number of those that were accepted. */
async function flood(x: PeerExchange): Promise<void> {
  const pad = 'x'.repeat(number(x, 'padLength'));
  const sends = Array.from({ length: number(x, 'count') }, (_, index) =>
    x.notify('tck/progressed', { index, pad }),
  );
  const settled = await Promise.allSettled(sends);
  await x.result({ accepted: settled.filter(({ status }) => status === 'fulfilled').length });
}

/** Asks the dialling side `count` times, one after the other, with the ids from `firstId` on; the result has the responses. */
async function ask(x: PeerExchange): Promise<void> {
  const answers: unknown[] = [];
  const way = x.params['standing'] === true ? 'standing' : 'in the lane';
  for (let index = 0; index < number(x, 'count'); index += 1) {
    answers.push(await x.ask(number(x, 'firstId') + index, { index, key: x.params['key'] ?? null }, way));
  }
  await x.result({ answers: answers as JsonObject[] });
}

/** An error that rejects the request with `rejection`. */
function reject(x: PeerExchange): Promise<void> {
  return x.reject(String(x.params['rejection']), number(x, 'code'));
}

/** `after` notifications with `padLength` in the lane and the result; then the served side closes. */
async function close(x: PeerExchange): Promise<void> {
  await progress({ ...x, params: { ...x.params, count: number(x, 'after') } });
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
