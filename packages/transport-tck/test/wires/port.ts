import { type ConnectionHandler, ConnectionSet, TransportError } from '@rxmcp/transport';
import type { Fixture } from '../../src/index.js';
import { type Post, type Posted, postedConnection, type PostParts, postParts } from './posted.js';

/** Both ends of message channels in this process; `change` breaks them. */
export function portFixture(
  handler: ConnectionHandler,
  change: (parts: PostParts) => Partial<PostParts> = () => ({}),
): Fixture {
  const parts = { ...postParts, ...change(postParts) };
  let newest = new MessageChannel();
  let stopped = false;
  const serving = new ConnectionSet(handler, () => (stopped = true));
  return {
    transport: {
      name: 'port',
      async dial({ signal } = {}) {
        if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'The dial was aborted.');
        if (stopped) throw new TransportError('DIAL_FAILED', 'The ports are closed.');
        newest = new MessageChannel();
        serving.accept(postedConnection(postOf(newest.port2), parts, true));
        return postedConnection(postOf(newest.port1), parts, false);
      },
    },
    close: () => serving.close(),
    cut: () => newest.port1.close(),
  };
}

function postOf(port: MessagePort): Post {
  return {
    post: (data) => port.postMessage(data),
    listen: (take) => void (port.onmessage = ({ data }) => take(data as Posted)),
    onGone: (gone) => port.addEventListener('close', gone),
    close: () => port.close(),
  };
}
