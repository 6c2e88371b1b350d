import { type ConnectionHandler, type Connection, ConnectionSet, TransportError } from '@rxmcp/transport';
import type { Fixture } from '../../src/index.js';

/** Both sides of message channels, with hooks that use the ports themselves. */
export function portRig(acceptor: ConnectionHandler, overPort: (port: MessagePort) => Connection): Fixture {
  let stopped = false;
  let newest = new MessageChannel();
  const serving = new ConnectionSet(acceptor, () => {
    stopped = true;
  });
  return {
    transport: {
      name: 'port',
      async dial({ signal } = {}) {
        if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
        if (stopped) throw new TransportError('DIAL_FAILED', 'The ports are closed.');
        newest = new MessageChannel();
        serving.accept(overPort(newest.port2));
        return overPort(newest.port1);
      },
    },
    close: () => serving.close(),
    notInjectable: ['bytes'],
    injectFrame(towards, frame) {
      if (typeof frame !== 'string') return false;
      (towards === 'served' ? newest.port1 : newest.port2).postMessage(frame);
    },
    cut: () => newest.port1.close(),
  };
}
