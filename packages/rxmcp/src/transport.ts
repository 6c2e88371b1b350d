export {
  ConnectionSet,
  MemoryBudget,
  TransportError,
  acceptedImmediately,
  chaos,
  createConnection,
  createValueConnection,
  delay,
  fromStreams,
  notSentError,
  pipeTraits,
  tap,
} from '@rxmcp/transport';
export type * from '@rxmcp/transport';
