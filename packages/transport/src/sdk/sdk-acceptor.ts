import type { Acceptor } from '../contract.js';
import type { SdkTransport } from './sdk-transport.js';
import { ToSdkTransport } from './to-sdk-transport.js';

/**
 * Serves an official server with any of our listening sides: `connect` gets a transport for each client, and connects a server
 * of its own to it. A client whose `connect` rejects is closed. Such a server knows no draining: it is given no time.
 *
 * @example
 * serveStdio(sdkAcceptor((transport) => makeServer().connect(transport)));
 */
export function sdkAcceptor(connect: (transport: SdkTransport) => Promise<void>): Acceptor {
  return {
    accept(connection) {
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const transport = new ToSdkTransport(connection, () => over());
      const close = (): Promise<void> => transport.close().catch(() => undefined);
      // As a function of its own: a `connect` that throws at once is one that rejects.
      const begin = async (): Promise<void> => connect(transport);
      begin().catch(close);
      return { drain: close, closed };
    },
  };
}
