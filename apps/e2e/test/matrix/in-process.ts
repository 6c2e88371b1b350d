import type { JsonObject, Server } from 'rxmcp';
import type { ServeHandle, Transport } from '@rxmcp/transport';
import type { Place, ServerFault } from './carrier.js';
import type { ServerName } from './servers/index.js';
import { serverNamed } from './servers/index.js';

/** Serves a named description in this process, in the way that `serve` knows. */
export async function inProcess(
  name: ServerName,
  options: JsonObject,
  serve: (server: Server) => Promise<{ readonly transport: Transport; readonly serving: ServeHandle }>,
): Promise<Place> {
  const server = serverNamed(name, options);
  const faults: ServerFault[] = [];
  const following = server.faults$.subscribe(({ code, message }) => faults.push({ code, message }));
  const { transport, serving } = await serve(server);
  return {
    transport,
    faults,
    close: async () => {
      await serving.close();
      following.unsubscribe();
    },
  };
}
