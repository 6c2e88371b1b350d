import type { Connection, Transport } from '../contract.js';

/** A transport whose connections pass through `wrap`. */
export function mapped(
  name: string,
  inner: Transport,
  wrap: (connection: Connection) => Connection,
): Transport {
  return {
    name: `${name}(${inner.name})`,
    dial: async (options) => wrap(await inner.dial(options)),
  };
}
