import type { Acceptor } from '../contract.js';
import { type ServeHandle, Serving } from '../serving.js';
import type { Traits } from '../traits.js';
import { connectionOfSdk } from './from-sdk-transport.js';
import { SdkCarrier } from './sdk-carrier.js';
import type { SdkTransport } from './sdk-transport.js';

/**
 * Serves the one client at the other end of a transport that was written for the guides' interface. It is started when the
 * server listens; one that cannot be started ends the connection with `DIAL_FAILED`.
 */
export function serveSdkTransport(
  acceptor: Acceptor,
  transport: SdkTransport,
  { traits = {} }: { readonly traits?: Partial<Traits> } = {},
): ServeHandle {
  const serving = new Serving(acceptor);
  serving.accept(connectionOfSdk(new SdkCarrier(transport), { ...traits, redialable: false }));
  return serving;
}
