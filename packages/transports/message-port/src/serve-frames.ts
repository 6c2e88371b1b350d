import { HeldConnections, holderName, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { type ConnectionHandler, ConnectionSet, processMemory, type ServeHandle } from '@rxmcp/transport';
import {
  alikePortOptions,
  createServedConnection,
  knownPortOptions,
  type MessagePortOptions,
} from './port-channel.js';
import { acceptMessage, isControlMessage, type RejectedMessage } from './control-messages.js';

/** The window that is served, as far as it is needed here. */
export interface ServedWindow {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** Options of {@link serveFrames}. */
export interface ServeFramesOptions extends MessagePortOptions {
  /** Who may connect: origins, such as `https://app.example`. What comes from others is not looked at. */
  readonly allowedOrigins: readonly string[];
  /** How many connections may be open, half of them of one origin; further ones are rejected with the reason. @default 1024 */
  readonly maxConnections?: number;
  /** The window that is served. @default the global scope */
  readonly window?: ServedWindow;
}

const knownOptions: Record<keyof ServeFramesOptions, true> = {
  ...knownPortOptions,
  allowedOrigins: true,
  maxConnections: true,
  window: true,
};

/**
 * Serves every window that connects with `connectToFrame` and shows one of `allowedOrigins`, each over its own port. The
 * origin is the principal of the connection, and all connections of an origin share one limit of memory.
 */
export function serveFrames(handler: ConnectionHandler, options: ServeFramesOptions): ServeHandle {
  rejectUnknownOptions('serveFrames', options, knownOptions, {
    ...alikePortOptions,
    origins: 'allowedOrigins',
  });
  const {
    allowedOrigins,
    maxConnections = 1_024,
    window = globalThis as unknown as ServedWindow,
    ...portOptions
  } = options;
  const { memory = processMemory() } = handler;
  const allowed = new Set(allowedOrigins);
  const held = new HeldConnections(memory, maxConnections, 'maxConnections');
  const asked = ({ data, origin, ports: [port] }: MessageEvent): void => {
    if (!allowed.has(origin) || port === undefined || !isControlMessage(data, 'connect')) return;
    const holder = holderName(origin);
    const rejection = held.add(holder);
    if (rejection !== undefined) return reject(port, rejection);
    port.postMessage(acceptMessage);
    const connection = createServedConnection(port, { principal: origin, holder }, portOptions);
    const release = (): void => held.remove(holder);
    connections.accept(connection).closed.then(release, release);
  };
  const connections = new ConnectionSet(handler, () => window.removeEventListener('message', asked));
  window.addEventListener('message', asked);
  return connections;
}

function reject(port: MessagePort, message: string): void {
  port.postMessage({ rxmcp: 'rejected', message } satisfies RejectedMessage);
  port.close();
}
