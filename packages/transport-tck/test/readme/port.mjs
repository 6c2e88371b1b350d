import { fromMessages } from '@rxmcp/transport';

/** A connection over a MessagePort, which reports every end. */
export const overPort = (port) =>
  fromMessages(
    {
      post: (text) => port.postMessage(text),
      listen({ message, closed }) {
        port.onmessage = ({ data }) => message(data);
        port.addEventListener('close', () => closed());
        return () => port.close();
      },
    },
    { heartbeatIntervalMs: Infinity },
  );
