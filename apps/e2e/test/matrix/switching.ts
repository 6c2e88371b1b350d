import type { JsonRpcRequest } from '@rxmcp/jsonrpc';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import type { Connection, OutgoingMessage, Transport } from '@rxmcp/transport';

/** One client before two servers: a request goes to the second where `second` says so, everything else to the first. */
export function switching(
  one: Transport,
  other: Transport,
  second: (request: JsonRpcRequest) => boolean,
): Transport {
  return {
    name: 'switching',
    dial: async (options) => {
      const connections = await Promise.all([one.dial(options), other.dial(options)]);
      return joined(connections, second);
    },
  };
}

function joined(
  [first, other]: readonly [Connection, Connection],
  second: (request: JsonRpcRequest) => boolean,
): Connection {
  const goesTo = (out: OutgoingMessage): Connection => {
    const message = out instanceof EncodedMessage ? out.message : out;
    return 'method' in message && 'id' in message && second(message) ? other : first;
  };
  return {
    traits: first.traits,
    start(receiver) {
      first.start(receiver);
      other.start({ ...quiet, received: (message, arrival) => receiver.received(message, arrival) });
    },
    send: (out, envelope) => goesTo(out).send(out, envelope),
    endLane: (lane) => first.endLane(lane),
    close: async () => {
      await Promise.all([first.close(), other.close()]);
    },
  };
}

const quiet = { laneClosed: () => undefined, fault: () => undefined, closed: () => undefined };
