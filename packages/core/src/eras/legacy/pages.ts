import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Ask } from '../../ask.js';
import type { Exchange } from '../../peer/exchange.js';
import { notification } from '../../peer/writer.js';

/** A question that sends a person to a page, under the name that 2025-11-25 wants for it; undefined for any other. */
export function pageOf({ method, params, id }: Ask): JsonObject | undefined {
  if (method !== 'elicitation/create' || params?.mode !== 'url') return undefined;
  return { ...params, elicitationId: id ?? newName() };
}

/**
 * Tells the client once when the person is done with a page that it was let go to: when `over` resolves, and without one when
 * the request that asked is answered, since accepting is consent only and a handler that needs more waits for it. Spec
 * 2025-11-25 client/elicitation#completion-notifications-for-url-mode-elicitation.
 */
export function tellWhenOver(
  exchange: Exchange,
  { elicitationId }: JsonObject,
  answer: Promise<JsonObject>,
  over: Ask['over'],
  atEnd: (tell: () => void) => void,
): void {
  const tell = (): void =>
    exchange.send(notification('notifications/elicitation/complete', { elicitationId }));
  answer.then(({ action }) => {
    if (action !== 'accept') return;
    if (over === undefined) atEnd(tell);
    else over.then(() => void (exchange.isOpen && tell()), nothing);
  }, nothing);
}

const nothing = (): void => undefined;

// No secret, but nobody should come upon that of another: 128 random bits, as hexadecimal.
function newName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
