export { bridge } from './bridge/bridge.js';
export type { BridgeOptions } from './bridge/bridge.js';
export { defineClient } from './client/client.js';
export type { Client, ClientOptions, ConnectOptions } from './client/client.js';
export type { Caller, Context, Implementation } from './context.js';
export { McpError, RpcError } from './errors.js';
export type { UrlElicitation } from './url-elicitations.js';
export type { McpErrorCode, McpErrorOptions } from './errors.js';
export type { Fault } from './faults.js';
export type {
  ExchangeEvent,
  ExchangeFacts,
  Intercepted,
  Interceptor,
  Next,
} from './interceptors/interceptor.js';
export { log, progress } from './items.js';
export type { LogItem, LogLevel, ProgressItem } from './items.js';
export type { Offer, Output, Subscribable } from './offer.js';
export type {
  CallEvent,
  CallOptions,
  LogRecord,
  Remote,
  RemoteStatus,
  RequestOptions,
  WireEvent,
} from './remote.js';
export type {
  InferInput,
  InferOutput,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from './standard-schema.js';
export { byLastModified, byPriority, forAudience } from './annotations.js';
export type { Annotated } from './annotations.js';
export { audio, embedded, image, isContentBlock, resourceLink, text } from './content.js';
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  BlockExtras,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  ResourceContents,
  ResourceLink,
  Role,
  TextContent,
  TextResourceContents,
} from './content.js';
export type { JsonObject } from '@rxmcp/jsonrpc';
export { defineServer } from './server/server.js';
export type { ConnectionInfo, Server, ServerOptions } from './server/server.js';
export type { CachedMethod, CacheHint, CacheHints } from './server/cache-hints.js';
export type { Limits, ServerLimits, Share } from './server/limits.js';
export type { EraId } from './eras/era.js';
export type { StateKey } from './eras/modern/seal.js';
export { each } from './streams/each.js';
export type { EachOptions } from './streams/each.js';
export { once } from './streams/once.js';
export { reconnect } from './streams/reconnect.js';
export type { ReconnectOptions } from './streams/reconnect.js';
export { offerMethod, offerNotification } from './own.js';
export type { MethodOptions } from './own.js';
export { TransportError } from '@rxmcp/transport';
export type { Outcome } from '@rxmcp/transport';
export { meter } from './stats/meter.js';
export type { MeterOptions } from './stats/meter.js';
export type { Alert, SlowCall, UnusualRate } from './stats/alert.js';
export type {
  CountedStats,
  DroppedStats,
  Health,
  LatencyStats,
  MeterSource,
  MethodStats,
  RemoteStats,
  ServerStats,
} from './stats/stats.js';
