import { type Acceptor, type Connection, Serving, TransportError } from '@rxmcp/transport';
import type { Rig } from '../../src/index.js';

/** Both sides of message channels, with hooks that use the ports themselves. */
export function portRig(acceptor: Acceptor, overPort: (port: MessagePort) => Connection): Rig {
  let stopped = false;
  let newest = new MessageChannel();
  const serving = new Serving(acceptor, () => {
    stopped = true;
  });
  return {
    transport: {
      name: 'port',
      async dial({ signal } = {}) {
        if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'The dial was aborted.');
        if (stopped) throw new TransportError('DIAL_FAILED', 'The ports are closed.');
        newest = new MessageChannel();
        serving.accept(overPort(newest.port2));
        return overPort(newest.port1);
      },
    },
    close: () => serving.close(),
    garbage(towards, frame) {
      if (typeof frame !== 'string') return false;
      (towards === 'served' ? newest.port1 : newest.port2).postMessage(frame);
    },
    cut: () => newest.port1.close(),
  };
}
