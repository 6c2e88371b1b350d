import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { type ConnectionHandler, type ServeHandle, ConnectionSet } from '@rxmcp/transport';
import {
  alikePortOptions,
  createPortConnection,
  knownPortOptions,
  type MessagePortOptions,
} from './port-channel.js';
import { acceptMessage, isControlMessage } from './control-messages.js';

/** The window that is served, as far as it is needed here. */
export interface ServedWindow {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** Options of {@link serveFrames}. */
export interface ServeFramesOptions extends MessagePortOptions {
  /** Who may connect: origins, such as `https://app.example`. What comes from others is not looked at. */
  readonly allowedOrigins: readonly string[];
  /** The window that is served. @default the global scope */
  readonly window?: ServedWindow;
}

const knownOptions: Record<keyof ServeFramesOptions, true> = {
  ...knownPortOptions,
  allowedOrigins: true,
  window: true,
};

/**
 * Serves every window that connects with `connectToFrame` and shows one of `origins`, each over a port of its own. The
 * origin is the principal of the connection.
 */
export function serveFrames(handler: ConnectionHandler, options: ServeFramesOptions): ServeHandle {
  rejectUnknownOptions('serveFrames', options, knownOptions, {
    ...alikePortOptions,
    origins: 'allowedOrigins',
  });
  const { allowedOrigins, window = globalThis as unknown as ServedWindow } = options;
  const allowed = new Set(allowedOrigins);
  const asked = ({ data, origin, ports: [port] }: MessageEvent): void => {
    if (!allowed.has(origin) || port === undefined || !isControlMessage(data, 'connect')) return;
    port.postMessage(acceptMessage);
    const side = { ...options, isServer: true, endsWorker: false, redialable: false, principal: origin };
    connections.accept(createPortConnection(port, side));
  };
  const connections = new ConnectionSet(handler, () => window.removeEventListener('message', asked));
  window.addEventListener('message', asked);
  return connections;
}
