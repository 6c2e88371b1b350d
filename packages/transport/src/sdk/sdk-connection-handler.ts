import { METHOD_NOT_FOUND, type RequestId } from '@rxmcp/jsonrpc';
import { printable, shown } from '../base/printable.js';
import type { Connection, ConnectionHandler, Receiver, ServedConnection } from '../contract/contract.js';
import type { SdkTransport } from './sdk-transport.js';
import { ToSdkTransport } from './to-sdk-transport.js';

/**
 * Creates a connection handler that serves servers of the official SDK over any server transport. `connect` receives a transport
 * for each client and connects a new server to it. Where `connect` rejects, the connection is closed, and `console.warn` prints the
 * first such error. SDK servers cannot be drained: `drain` closes them at once. They serve the revisions with a handshake, and
 * other requests are answered with -32601. What a client has sent is charged until its request has a response, and at most 256 of
 * its requests are handled at a time.
 *
 * @example
 * serveStdio(sdkConnectionHandler((transport) => makeServer().connect(transport)));
 */
export function sdkConnectionHandler(connect: (transport: SdkTransport) => Promise<void>): ConnectionHandler {
  let hasWarned = false;
  const warn = (cause: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    const reason = printable(cause instanceof Error ? cause.message : String(cause));
    console.warn(
      `rxmcp sdkConnectionHandler: \`connect\` failed: ${reason} (later failures are not printed)`,
    );
  };
  return {
    accept(connection) {
      if (connection.traits.idScope === 'lane') return rejectRequests(connection);
      let over = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const transport = new ToSdkTransport(connection, () => over());
      let isClosing = false;
      const close = (): Promise<void> => {
        isClosing = true;
        return transport.close().catch(() => undefined);
      };
      // An async function, so that a `connect` that throws is one that rejects.
      const begin = async (): Promise<void> => connect(transport);
      begin().catch((cause: unknown) => {
        if (!isClosing) warn(cause);
        return close();
      });
      return { drain: close, closed };
    },
  };
}

/** Answers requests without a session, for which the interface of the SDKs has no place: clients begin with a handshake then. */
function rejectRequests(connection: Connection): ServedConnection {
  const closed = new Promise<void>((resolve) => {
    const receiver: Receiver = {
      received(incoming, { lane } = {}) {
        for (const message of Array.isArray(incoming) ? (incoming as unknown[]) : [incoming]) {
          const { id, method } = Object(message) as { id?: RequestId; method?: unknown };
          if (typeof method !== 'string' || id === undefined) continue;
          const reason = `${shown(method)}: revisions without a handshake are not supported`;
          const error = { code: METHOD_NOT_FOUND, message: reason };
          const sendOptions = {
            ...(lane === undefined ? {} : { lane }),
            rejection: 'unsupported-version',
          } as const;
          connection.send({ jsonrpc: '2.0', id, error }, sendOptions).catch(() => undefined);
        }
      },
      laneClosed: () => undefined,
      fault({ reply }) {
        if (reply !== undefined) connection.send({ jsonrpc: '2.0', ...reply }).catch(() => undefined);
      },
      closed: () => resolve(),
    };
    connection.start(receiver);
  });
  return { drain: () => connection.close(), closed };
}
