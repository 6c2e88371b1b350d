import type { JsonObject } from 'rxmcp';
import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { SendOptions } from '@rxmcp/transport';
import { onTestFinished } from 'vitest';
import type { Cell } from './harness.js';

/** A client without the library: it sends what it is given and returns the answer. */
export interface RawExchange {
  /** Sends a request as its revision requires it. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Sends a message as it is and waits for what comes back next. */
  tell(message: JsonObject): Promise<JsonObject>;
}

/** Connects it at the revision of a cell, handshake included. */
export async function rawExchange({ place, era, version, carrier }: Cell): Promise<RawExchange> {
  const connection = await place.transport.dial();
  onTestFinished(() => connection.close());
  const waiting: ((message: JsonObject) => void)[] = [];
  connection.start({
    received: (message) => waiting.shift()?.(message as JsonObject),
    laneClosed: () => undefined,
    fault: () => undefined,
    closed: () => undefined,
  });
  let id = 0;
  const send = (message: JsonObject): Promise<void> =>
    connection.send(message as unknown as JsonRpcMessage, envelopeOf(message));
  const envelopeOf = (message: JsonObject): SendOptions => {
    const { method, params } = message as { method: string; params?: { name?: unknown } };
    const lane = carrier.traits.lanes === 'per-request' && 'id' in message ? { lane: {} } : {};
    const name = typeof params?.name === 'string' ? { name: params.name } : {};
    const mirror =
      carrier.traits.carriesHeaders && era === 'modern' ? { headers: { version, method, ...name } } : {};
    return { version, ...lane, ...mirror, completesHandshake: method === 'notifications/initialized' };
  };
  const tell = async (message: JsonObject): Promise<JsonObject> => {
    let take: (message: JsonObject) => void = () => undefined;
    const answer = new Promise<JsonObject>((resolve) => (take = resolve));
    waiting.push(take);
    try {
      await send(message);
    } catch (error) {
      waiting.splice(waiting.indexOf(take), 1);
      throw error;
    }
    return answer;
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = (method: string, params: JsonObject = {}): Promise<JsonObject> =>
    tell({
      jsonrpc: '2.0',
      id: (id += 1),
      method,
      params: era === 'modern' ? { ...params, _meta: meta } : params,
    });
  if (era === 'legacy') {
    await ask('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'raw', version: '1.0.0' },
    });
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
  return { ask, tell };
}
