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
export { copiedJson } from './carrier.js';
export { exposedCredential, isExposed } from './credentials.js';
export {
  notSent,
  TransportError,
  type FaultReply,
  type Outcome,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './error.js';
export { isAnswer, SendQueue, type SendQueueOptions } from './send-queue.js';
export { Serving, type DrainOptions, type ServeHandle } from './serving.js';
export { wireFault } from './error.js';
export { fromStreams, type MessageStreams } from './subscribable-to-connection.js';
export { timerMs } from './timers.js';
export { unheldTimer, within } from './timers.js';
export { pipeTraits, type Traits } from './traits.js';
export { chaos, type ChaosOptions } from './wrap/chaos.js';
export { delay } from './wrap/slowed.js';
export { tap, type TapEvent } from './wrap/tap.js';
export { exceedsBytes } from './message-size.js';
export { handOver, reportClosed, reportThrown } from './receiving.js';
export { printable, shown } from './printable.js';
