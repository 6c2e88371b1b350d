import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createTransport,
  fromMessages,
  type FromMessagesOptions,
  type ServeHandle,
  type Transport,
} from '@rxmcp/transport';

/** A connection to the process at the other end of an IPC channel: a child of this one, or its parent. */
export const overIpc = (
  other: ChildProcess | NodeJS.Process,
  options: FromMessagesOptions = {},
  released?: () => Promise<unknown>,
): Connection =>
  fromMessages(
    {
      post: (text) =>
        new Promise((resolve, reject) => {
          if (other.send === undefined) throw new Error('this process has no IPC channel');
          other.send(text, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
        }),
      listen({ message, closed }) {
        const lost = (): void => closed();
        other.on('message', message).on('disconnect', lost);
        return async () => {
          other.off('message', message).off('disconnect', lost);
          if (other.connected) other.disconnect();
          await released?.();
        };
      },
    },
    { heartbeatIntervalMs: Infinity, ...options }, // the system reports every end
  );

/** A transport that starts a program of Node.js for each connection. `started` receives each process. */
export const ipc = (program: string, started: (child: ChildProcess) => void = () => undefined): Transport =>
  createTransport('ipc', async (signal) => {
    const child = fork(program, { signal, killSignal: 'SIGKILL' });
    const ended = new Promise((resolve) => child.once('exit', resolve).on('error', resolve));
    await once(child, 'spawn');
    started(child);
    return overIpc(child, {}, () => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), 1_000);
      return ended.then(() => clearTimeout(deadline));
    });
  });

/** Serves the process that started this one. */
export function serveIpc(handler: ConnectionHandler): ServeHandle {
  const connections = new ConnectionSet(handler);
  connections.accept(overIpc(process, { isServer: true }));
  return connections;
}
