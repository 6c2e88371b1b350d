/**
 * The transport interface of the official TypeScript SDKs: three methods, and callbacks that the user of the transport assigns.
 * Only the shape matters: no SDK is required.
 */
export interface SdkTransport {
  /** Connects and begins to deliver. Called once, after the callbacks were assigned. */
  start(): Promise<void>;
  send(message: unknown, options?: SdkSendOptions): Promise<void>;
  close(): Promise<void>;
  /** Called with each message. */
  onmessage?: SdkCallback<[message: unknown, extra?: unknown]> | undefined;
  /** Called with each error, fatal or not. */
  onerror?: SdkCallback<[error: Error]> | undefined;
  /** Called when the connection has ended, for any reason. */
  onclose?: SdkCallback<[]> | undefined;
  sessionId?: string | undefined;
  /** Called with the negotiated protocol version, for a transport that sends it with each request. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}

/** A callback whose parameters may be narrower than declared, as those of a method may. */
export type SdkCallback<Parameters extends unknown[]> = {
  bivariant(...parameters: Parameters): void;
}['bivariant'];

/** The send options of the SDK that are used here. */
export interface SdkSendOptions {
  /** The request that this message belongs to. */
  readonly relatedRequestId?: string | number | undefined;
  /** Aborts the HTTP exchange of this request, where it has one. */
  readonly requestSignal?: AbortSignal | undefined;
  /** Headers of this request. Only those that repeat parameters are used. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An option of the SDK's Streamable HTTP transport, which is not used. Without it the types would have nothing in common. */
  readonly resumptionToken?: string;
  /** Called when that exchange ended without a response. */
  readonly onRequestStreamEnd?: (() => void) | undefined;
}
