import { createConnection, pipeTraits, TransportError } from '@rxmcp/transport';

/** A connection over a MessagePort. It posts texts, 1 for each text that was read, and 0 before it closes. */
export const overPort = (port) =>
  createConnection((sink) => {
    let unread = 0;
    let waiting = [];
    let inOrder = false;
    const take = (data) => {
      if (data === 0) inOrder = true;
      else if (data === 1) {
        unread -= 1;
        if (unread <= 64) for (const go of waiting.splice(0)) go();
      } else {
        port.postMessage(1);
        sink.text(data);
      }
    };
    port.addEventListener('close', () =>
      sink.closed(inOrder ? undefined : new TransportError('CONNECTION_LOST', 'the other side has ended')),
    );
    return {
      start: () => void (port.onmessage = ({ data }) => take(data)),
      send(text) {
        port.postMessage(text);
        unread += 1;
        if (unread > 64) return new Promise((go) => waiting.push(go));
      },
      close() {
        port.postMessage(0);
        port.close();
      },
    };
  }, pipeTraits);
