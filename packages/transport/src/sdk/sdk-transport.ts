/**
 * The transport that the guides of the protocol describe and its official TypeScript SDKs take: three methods, and callbacks
 * that whoever uses it puts in. Only its shape counts; nothing of an SDK is needed for it.
 */
export interface SdkTransport {
  /** Connects and begins to deliver. Called once, after the callbacks were put in. */
  start(): Promise<void>;
  send(message: unknown, options?: SdkSendOptions): Promise<void>;
  close(): Promise<void>;
  /** One message came. */
  onmessage?: SdkCallback<[message: unknown, extra?: unknown]> | undefined;
  /** Something failed, fatal or not. */
  onerror?: SdkCallback<[error: Error]> | undefined;
  /** The connection is over, for whatever reason. */
  onclose?: SdkCallback<[]> | undefined;
  sessionId?: string | undefined;
  /** Told once the revision is agreed on, where the transport has to repeat it. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}

/** A callback whose parameters may be narrower than said here, as those of a method may. */
export type SdkCallback<Parameters extends unknown[]> = {
  bivariant(...parameters: Parameters): void;
}['bivariant'];

/** What belongs to one message beside it, as far as we use it. */
export interface SdkSendOptions {
  /** The request that this message belongs to. */
  readonly relatedRequestId?: string | number | undefined;
  /** Ends the network exchange of this one request, where it has one. */
  readonly requestSignal?: AbortSignal | undefined;
  /** Headers of this one request, such as those that repeat single parameters; anything else of them is not looked at. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told when that exchange ended without an answer. */
  readonly onRequestStreamEnd?: (() => void) | undefined;
}
