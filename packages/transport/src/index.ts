export { connectionOf, connectionOfValues } from './carrier.js';
export { type Carrier, type CarrierSource, type Sink } from './carrier-contract.js';
export {
  accepted,
  type Acceptor,
  type Arrival,
  type Connection,
  type DialOptions,
  type Envelope,
  type Lane,
  type Mirror,
  type Outgoing,
  type Receiver,
  type Refusal,
  type Served,
  type Transport,
} from './contract.js';
export { copiedJson } from './copied-json.js';
export { exposedCredential, isExposed } from './credentials.js';
export {
  TransportError,
  type FaultReply,
  type Outcome,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './error.js';
export { Serving, type DrainOptions, type ServeHandle } from './serving.js';
export { wireFault } from './wire-fault.js';
export { fromStreams, type MessageStreams } from './subscribable-to-connection.js';
export { timerMs } from './timer-ms.js';
export { unheldTimer, within } from './timers.js';
export { pipeTraits, type Traits } from './traits.js';
export { chaos, type ChaosOptions } from './wrap/chaos.js';
export { delay } from './wrap/delay.js';
export { tap, type TapEvent } from './wrap/tap.js';
