import { kindOf, OVERLOADED } from '@rxmcp/jsonrpc';
import type { ErrorBody, Request } from '@rxmcp/jsonrpc';
import type { Connection, TransportError } from '@rxmcp/transport';
import { OTHER_SIDE_GONE } from './passing-era.js';

const withinMs = 1_000;
/** A client may try the other era before it gives up. */
const afterMs = 250;

/** Tells a client that its server cannot be reached, in answer to whatever it asks, and closes soon. */
export function unreached(front: Connection, { code }: TransportError): Promise<undefined> {
  const message = 'the server behind this bridge cannot be reached';
  return unserved(front, { code: OTHER_SIDE_GONE, message, data: { retryable: true, code } });
}

/** Tells a client in the same way that there are too many. */
export function overloaded(front: Connection): Promise<undefined> {
  const data = { retryable: true, retryAfterMs: 1_000, executed: false };
  return unserved(front, { code: OVERLOADED, message: 'too many clients are on this bridge', data });
}

function unserved(front: Connection, error: ErrorBody): Promise<undefined> {
  return new Promise((resolve) => {
    const close = (): void => void front.close();
    let alarm = setTimeout(close, withinMs);
    let isAnswered = false;
    front.start({
      received(incoming, arrival) {
        if (kindOf(incoming) !== 'request') return;
        const lane = arrival?.lane;
        const envelope = { refusal: 'overload', ...(lane === undefined ? {} : { lane }) } as const;
        void front.send({ jsonrpc: '2.0', id: (incoming as Request).id, error }, envelope).catch(close);
        if (isAnswered) return;
        isAnswered = true;
        clearTimeout(alarm);
        alarm = setTimeout(close, afterMs);
      },
      laneClosed: () => undefined,
      fault: () => undefined,
      closed() {
        clearTimeout(alarm);
        resolve(undefined);
      },
    });
  });
}
