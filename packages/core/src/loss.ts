import { TransportError } from '@rxmcp/transport';

const loss = Symbol.for('rxmcp.loss');

/** Marks an error as the loss of a whole connection, and no call's. */
export function markLoss(error: Error): void {
  if (!Object.hasOwn(error, loss)) Object.defineProperty(error, loss, { value: true });
}

/** True for an error that {@link markLoss} marked. */
export function isLoss(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, loss);
}

/** The loss of a connection as one of its calls sees it: whether the peer did what it asked, nobody knows. */
export function interrupted(method: string, { code, message, details }: TransportError, cause: Error): Error {
  return new TransportError(code, `"${method}" was interrupted: ${message}`, {
    cause,
    outcome: 'unknown',
    ...(details === undefined ? {} : { details }),
  });
}
