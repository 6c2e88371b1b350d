import { openServing, type Serving, type ServingOptions } from '@rxmcp/app-serving/serving';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { bridge, type Fault } from 'rxmcp';
import type { ConnectionHandler, ServedConnection, Transport } from 'rxmcp/transport';

/** How clients and the server behind a bridge are joined. */
export interface BridgeOptions extends Omit<ServingOptions, 'sessionIdleTimeoutMs'> {
  /** Whether the server is a command: then each client has its own process. */
  readonly isCommand: boolean;
  /** How many clients are served at a time. @default 64 for a command, any number for other servers */
  readonly maxClients?: number | undefined;
  onFault(fault: Fault): void;
}

/** Default limit of clients for a command: each client has its own process. */
const maxProcesses = 64;
/** An idle session holds a process if the server is a command. */
const processIdleMs = 10 * 60_000;

/** Reads the value of `--max-clients`. Throws a UsageError. */
export function maxClientsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--max-clients ${JSON.stringify(text)} is not a number from 1 to 999999`);
}

/**
 * Joins clients with a server that each of them has a connection to. Its drain resolves once these are closed too: a child process gets its
 * time to end. Rejects where it cannot listen.
 */
export async function openBridge(transport: Transport, options: BridgeOptions): Promise<Serving> {
  const { isCommand, maxClients = isCommand ? maxProcesses : Infinity, onFault } = options;
  const links = tracked(bridge(transport, { maxClients, onFault }));
  const serving = await openServing(links, {
    ...options,
    sessionIdleTimeoutMs: isCommand ? processIdleMs : undefined,
  });
  return {
    ...serving,
    async drain(drainOptions) {
      await serving.drain(drainOptions);
      await links.closed();
    },
  };
}

/** Tracks the connections of a handler until they are closed with their servers. */
function tracked(handler: ConnectionHandler): ConnectionHandler & { closed(): Promise<void> } {
  const open = new Set<ServedConnection>();
  return {
    ...handler,
    accept(connection) {
      const served = handler.accept(connection);
      open.add(served);
      void served.closed.then(() => open.delete(served));
      return served;
    },
    async closed() {
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}
