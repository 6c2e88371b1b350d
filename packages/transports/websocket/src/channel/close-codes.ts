import { TransportError, type TransportErrorCode } from '@rxmcp/transport';
import { shown } from '@rxmcp/transport/internal';

/** The status codes of RFC 6455 and its registry that this transport says or understands. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  unsupportedData: 1003,
  noStatus: 1005,
  abnormal: 1006,
  invalidText: 1007,
  policy: 1008,
  tooBig: 1009,
  internalError: 1011,
  restart: 1012,
  tryLater: 1013,
  unauthorized: 3000,
} as const;

/** A connection that this side ends for a reason, in the words of both. */
export interface ConnectionFailure {
  readonly error: TransportError;
  /** The status code that is sent to the other side. */
  readonly closeCode: number;
}

const inOrder: readonly number[] = [
  closeCodes.normal,
  closeCodes.goingAway,
  closeCodes.noStatus,
  closeCodes.restart,
];

const maxReasonBytes = 123;

/** How the other side ended the connection: PEER_CLOSED where it did so in order, else CONNECTION_LOST. */
export function closedByPeer(closeCode: number, reason: string): TransportError {
  const code = inOrder.includes(closeCode) ? 'PEER_CLOSED' : 'CONNECTION_LOST';
  const details = reason === '' ? { closeCode } : { closeCode, reason: shown(reason) };
  return new TransportError(code, sentence(closeCode, reason), { details });
}

/** A failure of this side's own judgement. */
export function connectionFailure(
  code: TransportErrorCode,
  message: string,
  closeCode: number,
  cause?: unknown,
): ConnectionFailure {
  return { error: new TransportError(code, message, { cause, details: { closeCode } }), closeCode };
}

/** A reason as a close frame can carry it: at most 123 bytes of UTF-8. RFC 6455, section 5.5. */
export function closeReason(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxReasonBytes) return text;
  // A character that the cut went through is left out.
  return new TextDecoder().decode(bytes.subarray(0, maxReasonBytes)).replace(/\ufffd+$/, '');
}

function sentence(closeCode: number, reason: string): string {
  if (closeCode === closeCodes.abnormal) return 'the connection was cut';
  const how = closeCode === closeCodes.noStatus ? '' : ` with status ${closeCode}`;
  const why = reason === '' ? '' : `: ${shown(reason)}`;
  return `the peer closed the connection${how}${why}`;
}

const stepMs = 1_000;
const maxSteps = 4;

/**
 * Waits for a closing socket while it makes progress: 4 s in all, 2 s for the close frame of the other side, 1 s while the waiting
 * bytes do not become fewer. Resolves with whether the socket has closed.
 *
 * @param left Becomes less with what is taken; 0 where nothing waits.
 */
export async function hasClosed(closed: Promise<void>, left: () => number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = left();
  for (let step = 1; step <= maxSteps; step += 1) {
    const pause = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, stepMs, false);
    });
    const isClosed = await Promise.race([closed.then(() => true), pause]);
    clearTimeout(timer);
    if (isClosed) return true;
    const now = left();
    if (now === before && (now > 0 || step > 1)) return false;
    before = now;
  }
  return false;
}

/** What a bad frame is, by the code of `ws`; every other one breaks the protocol. */
export const frameErrors = new Map<string, readonly [TransportErrorCode, number]>([
  ['WS_ERR_INVALID_UTF8', ['PARSE_ERROR', closeCodes.invalidText]],
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', ['OVERFLOW', closeCodes.tooBig]],
  ['WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH', ['OVERFLOW', closeCodes.tooBig]],
  ['WS_ERR_TOO_MANY_BUFFERED_PARTS', ['OVERFLOW', closeCodes.policy]],
]);
