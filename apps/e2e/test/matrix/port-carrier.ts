import { messagePort, serveMessagePort } from 'rxmcp/message-port';
import type { ServeHandle } from '@rxmcp/transport';
import { pipeTraits } from '@rxmcp/transport';
import type { Carrier } from './carrier.js';
import { inProcess } from './in-process.js';

/** A channel for each dial, of which the server gets the other port. */
export const overPorts: Carrier = {
  name: 'message-port',
  traits: pipeTraits,
  serve: (name, options) =>
    inProcess(name, options, async (server) => {
      const handles: ServeHandle[] = [];
      const transport = messagePort(() => {
        const { port1, port2 } = new MessageChannel();
        handles.push(serveMessagePort(server, port2));
        return port1;
      });
      const all = async (end: (handle: ServeHandle) => Promise<void>): Promise<void> => {
        await Promise.all(handles.map(end));
      };
      const serving: ServeHandle = {
        drain: (given) => all((handle) => handle.drain(given)),
        close: () => all((handle) => handle.close()),
      };
      return { transport, serving };
    }),
};
