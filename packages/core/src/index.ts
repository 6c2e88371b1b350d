export { bridge } from './bridge/bridge.js';
export type { BridgeOptions } from './bridge/bridge.js';
export { defineClient } from './client/client.js';
export type { Client, ClientOptions, ConnectOptions } from './client/client.js';
export type { RequiredCapability } from './contract/capability-needs.js';
export type { Caller, Context, Icon, Implementation } from './contract/context.js';
export { RxmcpError, RpcError } from './base/errors.js';
export type { RequiredUrlElicitation } from './base/errors.js';
export type { RxmcpErrorCode, RxmcpErrorOptions } from './base/errors.js';
export type { Fault } from './contract/faults.js';
export type { ResponseEvent, InterceptedRequest, Interceptor, NextFunction } from './contract/interceptor.js';
export type { Topic } from './contract/remote-link.js';
export { logItem, progressItem } from './contract/report-items.js';
export type { LogItem, LogLevel, ProgressItem } from './contract/report-items.js';
export type { Offer, HandlerResult, Subscribable } from './contract/offer.js';
export type {
  Call,
  CallEvent,
  CallWithEvents,
  CallOptions,
  LogRecord,
  Remote,
  RemoteStatus,
  RequestOptions,
  WireEvent,
} from './contract/remote.js';
export type {
  InferInput,
  InferOutput,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from './contract/standard-schema.js';
export { byLastModified, byPriority, forAudience } from './content/annotations.js';
export type { Annotated } from './content/annotations.js';
export { audio, embeddedResource, image, isContentBlock, resourceLink, text } from './content/blocks.js';
export type { Annotations, Role } from './content/annotations.js';
export type {
  AudioContent,
  BlobResourceContents,
  ContentBlockOptions,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from './content/blocks.js';
export type { JsonObject } from '@rxmcp/jsonrpc';
export { defineServer } from './server/server.js';
export type { ConnectionInfo, Server, ServerOptions } from './server/server.js';
export type { CacheableMethod, CacheHint, CacheHints } from './server/cache-hints.js';
export type { ConnectionLimits, ServerLimits, IncomingRequestLimits } from './peer/limits.js';
export type { EraId } from './eras/versions.js';
export type { RequestStateKey } from './eras/modern/seal.js';
export { each } from './streams/each.js';
export type { EachOptions } from './streams/each.js';
export { once } from './streams/once.js';
export type { OnceOptions } from './streams/once.js';
export { reconnect } from './streams/reconnect.js';
export type { ReconnectOptions } from './streams/reconnect.js';
export { offerMethod, offerNotification } from './methods/custom-offer.js';
export type { OfferMethodOptions } from './methods/custom-offer.js';
export { TransportError } from '@rxmcp/transport';
export type { Outcome } from '@rxmcp/transport';
export { meter } from './stats/meter.js';
export type { MeterOptions } from './stats/meter.js';
export type { Alert, MemoryPressureAlert, SlowCallAlert, UnusualRateAlert } from './contract/stats.js';
export type {
  MeterStats,
  DroppedMessageStats,
  Health,
  LatencyStats,
  MeterFactory,
  MethodStats,
  RemoteStats,
  ServerStats,
} from './contract/stats.js';
