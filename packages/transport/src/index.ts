export { createConnection, createValueConnection } from './channel.js';
export { type Channel, type ChannelSource, type Sink } from './channel-contract.js';
export {
  acceptedImmediately,
  type ConnectionHandler,
  type ReceiveInfo,
  type Connection,
  type DialOptions,
  type SendOptions,
  type Lane,
  type MessageHeaders,
  type OutgoingMessage,
  type Receiver,
  type RejectionReason,
  type ServedConnection,
  type Transport,
} from './contract.js';
export { copyAsJson } from './channel.js';
export { findExposedCredential, isUnencryptedRemote } from './exposed-credentials.js';
export {
  notSentError,
  TransportError,
  type FaultReply,
  type Outcome,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './error.js';
export { isAnswer, SendQueue, type SendQueueOptions } from './send-queue.js';
export { ConnectionSet, type DrainOptions, type ServeHandle } from './connection-set.js';
export { wireErrorToFault } from './error.js';
export { fromStreams, type MessageStreams } from './from-streams.js';
export { clampTimeout } from './timers.js';
export { setUnrefTimeout, settleWithin } from './timers.js';
export { pipeTraits, type Traits } from './traits.js';
export { chaos, type ChaosOptions } from './wrap/chaos.js';
export { delay } from './wrap/delay-connection.js';
export { tap, type TapEvent } from './wrap/tap.js';
export { exceedsBytes } from './message-size.js';
export { handOver, reportClosed, reportThrown } from './receiving.js';
export { printable, shown } from './printable.js';
