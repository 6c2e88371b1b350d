import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, ConnectionHandler } from '@rxmcp/transport';
import { type EchoPeer, createPeerExchange, createEchoPeer } from './exchange.js';
import { methods } from './methods.js';

/** Answers a request of the kit and ignores everything else. */
export function handleRequest(peer: EchoPeer, incoming: unknown, info: ReceiveInfo = {}): void {
  if (typeof incoming !== 'object' || incoming === null || Array.isArray(incoming)) return;
  const { id, method, params } = incoming as JsonObject;
  if (isId(id) && method === undefined) answerQuestion(peer, id, incoming as JsonObject, info);
  if (!isId(id) || typeof method !== 'string') return;
  const run = methods.get(method);
  if (run === undefined) return;
  const exchange = createPeerExchange(peer, id, (params ?? {}) as JsonObject, info);
  // The rules close connections during exchanges; the requesting side checks how they end.
  run(exchange).catch(() => undefined);
}

/** Finds the question by its lane where the response came in one, otherwise by its id alone. */
function answerQuestion(
  { questions }: EchoPeer,
  id: RequestId,
  { result }: JsonObject,
  { lane }: ReceiveInfo,
): void {
  const alike = questions.filter((question) => question.id === id);
  const question = alike.find((each) => each.lane === lane) ?? (lane === undefined ? alike[0] : undefined);
  if (question === undefined) return;
  questions.splice(questions.indexOf(question), 1);
  question.answered(result);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * Returns the served side of every rule. Serve it in another process to verify a transport with `outOfProcess: true`.
 */
export function echoConnectionHandler(): ConnectionHandler {
  return {
    accept(connection) {
      const peer = createEchoPeer(connection, (out, options) => connection.send(out, options));
      const closed = new Promise<void>((resolve) => {
        connection.start({
          received: (incoming, info) => handleRequest(peer, incoming, info),
          laneClosed: () => undefined,
          fault: () => undefined,
          closed: () => resolve(),
        });
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
