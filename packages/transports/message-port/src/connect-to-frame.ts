import { notSentError, type TransportError } from '@rxmcp/transport';
import { clampTimeout, printable, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { closeMessage, connectMessage, isControlMessage, type RejectedMessage } from './control-messages.js';

/** The window of a frame, an opener or a popup, as far as it is needed here. */
export interface TargetWindow {
  postMessage(message: unknown, targetOrigin: string, transfer: MessagePort[]): void;
}

/** Options of {@link connectToFrame}. */
export interface ConnectToFrameOptions {
  /** The origin that the window must show, such as `https://tools.example`. `*` is rejected: anybody could be answering. */
  readonly targetOrigin: string;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** How long the window may take to answer, in milliseconds. It may still be loading. @default 10000 */
  readonly connectTimeoutMs?: number;
}

const knownOptions: Record<keyof ConnectToFrameOptions, true> = {
  targetOrigin: true,
  signal: true,
  connectTimeoutMs: true,
};

const firstRetryMs = 50;

/**
 * Resolves with a port to the server that `serveFrames` serves in another window. Messages to a window that is still loading are
 * lost, so the request is repeated until the window answers. Rejects with a TypeError where not exactly one origin is named, with
 * `DIAL_FAILED` when the window does not answer in time or has no room for one more connection, and with `DIAL_ABORTED`.
 */
export async function connectToFrame(
  target: TargetWindow,
  options: ConnectToFrameOptions,
): Promise<MessagePort> {
  rejectUnknownOptions('connectToFrame', options, knownOptions, { withinMs: 'connectTimeoutMs' });
  const { targetOrigin, signal, connectTimeoutMs = 10_000 } = options;
  if (!URL.canParse(targetOrigin)) {
    throw new TypeError(
      `"targetOrigin" must be one origin such as https://tools.example, not "${targetOrigin}"`,
    );
  }
  const asked: MessagePort[] = [];
  let retry: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  let unwanted = (): void => undefined;
  let answered: MessagePort | undefined;
  try {
    answered = await new Promise<MessagePort>((resolve, reject) => {
      const ask = (retryMs: number): void => {
        const { port1, port2 } = new MessageChannel();
        asked.push(port1);
        port1.onmessage = ({ data }) => {
          if (isControlMessage(data, 'hello')) resolve(port1);
          else if (isControlMessage(data, 'rejected')) reject(rejectedError(targetOrigin, data));
        };
        retry = setTimeout(() => ask(retryMs * 1.5), retryMs);
        target.postMessage(connectMessage, targetOrigin, [port2]);
      };
      unwanted = () => reject(notSentError('DIAL_ABORTED', 'the dial was aborted', signal?.reason));
      if (signal?.aborted === true) return unwanted();
      signal?.addEventListener('abort', unwanted);
      late = setTimeout(
        () => reject(notSentError('DIAL_FAILED', `no response from a window of ${targetOrigin}`)),
        clampTimeout(connectTimeoutMs),
      );
      ask(firstRetryMs);
    });
    answered.onmessage = null;
    return answered;
  } finally {
    clearTimeout(retry);
    clearTimeout(late);
    signal?.removeEventListener('abort', unwanted);
    for (const port of asked) if (port !== answered) dismiss(port);
  }
}

function rejectedError(origin: string, { message }: Partial<RejectedMessage>): TransportError {
  const reason = typeof message === 'string' ? printable(message) : 'without a reason';
  return notSentError('DIAL_FAILED', `a window of ${origin} rejected the connection: ${reason}`);
}

/** A window that was only busy may have answered more than one. */
function dismiss(port: MessagePort): void {
  port.onmessage = null;
  port.postMessage(closeMessage);
  port.close();
}
