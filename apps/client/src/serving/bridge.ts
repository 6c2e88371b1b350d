import { bridge } from 'rxmcp';
import type { ConnectionHandler, ServedConnection } from 'rxmcp/transport';
import type { Program } from '../command.js';
import type { Target } from '../target/target.js';
import { transportTo } from '../target/target.js';
import { serveUntilEnd } from './listen.js';
import type { Ports } from './listen-options.js';

/** Joins clients with one server, which each of them has a connection to. Resolves with the exit code. */
export async function runBridge(
  target: Target,
  ports: Ports,
  maxClients: number,
  program: Program,
): Promise<number> {
  const { tell } = program.terminal;
  const transport = await transportTo(target, (line) => tell(`server: ${line}`), program.env);
  const joined = tracked(
    bridge(transport, { maxClients, onFault: ({ code, message }) => tell(`fault ${code}: ${message}`) }),
  );
  const code = await serveUntilEnd(joined, ports, program);
  await joined.closed();
  return code;
}

/** Tracks the connections of a handler until they are closed with their servers: a started server gets its time to end. */
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
