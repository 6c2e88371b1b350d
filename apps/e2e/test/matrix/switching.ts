import type { Request } from '@rxmcp/jsonrpc';
import { Encoded } from '@rxmcp/jsonrpc';
import type { Connection, Outgoing, Transport } from '@rxmcp/transport';

/** One client before two servers: a request goes to the second where `second` says so, everything else to the first. */
export function switching(
  one: Transport,
  other: Transport,
  second: (request: Request) => boolean,
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
  second: (request: Request) => boolean,
): Connection {
  const goesTo = (out: Outgoing): Connection => {
    const message = out instanceof Encoded ? out.message : out;
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
