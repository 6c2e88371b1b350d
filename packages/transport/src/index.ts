export { createConnection, createValueConnection } from './channel/channel.js';
export {
  type Channel,
  type ChannelSource,
  type ConnectionOptions,
  type Sink,
} from './channel/channel-contract.js';
export {
  acceptedImmediately,
  type AuthorizationChallenge,
  type AuthorizedRequest,
  type Authorizer,
  type ConnectionHandler,
  type ReceiveInfo,
  type Connection,
  type DialOptions,
  type HeadersSource,
  type SendOptions,
  type Lane,
  type MessageHeaders,
  type OutgoingMessage,
  type Receiver,
  type RejectionReason,
  type ServedConnection,
  type Transport,
} from './contract/contract.js';
export {
  notSentError,
  TransportError,
  type FaultReply,
  type Outcome,
  type TransportErrorCode,
  type TransportErrorOptions,
} from './contract/error.js';
export { ConnectionSet, type DrainOptions, type ServeHandle } from './connection/connection-set.js';
export type { Fetch } from './fetch/fetch.js';
export { estimateRequestBytes } from './memory/estimate.js';
export {
  MemoryBudget,
  processMemory,
  type MemoryBudgetOptions,
  type MemoryHolding,
  type MemoryStats,
} from './memory/memory-budget.js';
export { createTransport, type CreateTransportOptions } from './connection/create-transport.js';
export { fromMessages } from './carrier/from-messages.js';
export {
  type CarrierEvents,
  type FromMessagesOptions,
  type MessageCarrier,
} from './carrier/message-carrier.js';
export { fromStreams, type MessageStreams } from './channel/from-streams.js';
export { pipeTraits, type Traits } from './contract/traits.js';
export { chaos, type ChaosOptions } from './wrap/chaos.js';
export { delay } from './wrap/delay-connection.js';
export { tap, type TapEvent } from './wrap/tap.js';
