import { connectToFrame, messagePort } from 'rxmcp/message-port';
import type { Transport } from 'rxmcp/transport';

/** A worker of its own for each dial. */
export function inWorker(script: string): Transport {
  return messagePort(() => new Worker(script, { type: 'module' }));
}

/** A frame of another origin, which is put into the page. */
export function inFrame(
  url: string,
  { connectTimeoutMs }: { readonly connectTimeoutMs?: number },
): Transport {
  return messagePort(({ signal }) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
    if (frame.contentWindow === null) throw new Error('the frame has no window');
    return connectToFrame(frame.contentWindow, {
      targetOrigin: new URL(url).origin,
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
  });
}
