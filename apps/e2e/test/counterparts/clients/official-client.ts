import type { Column } from '../cells.js';

/** What a server may ask of the client, and how the client answers. */
export interface Answers {
  /** Gets all text of the messages. */
  readonly sampling?: (prompt: string, signal: AbortSignal) => Promise<string> | string;
  readonly roots?: () => { uri: string; name?: string }[];
  readonly elicitation?: (
    message: string,
    fields: readonly string[],
  ) => { action: 'accept'; content: Record<string, string | boolean> } | { action: 'decline' | 'cancel' };
}

/** What the client receives without a request. */
export interface Heard {
  readonly updated?: (uri: string) => void;
  readonly resourcesChanged?: () => void;
  readonly log?: (record: { level: string; data: unknown; logger?: string | undefined }) => void;
}

/** Options of one call. */
export interface CallOptions {
  readonly progress?: (done: number, total: number | undefined) => void;
  readonly signal?: AbortSignal;
  /** In the modern era logs are asked for with each request. */
  readonly logLevel?: string;
}

/** The result of a tool. */
export interface CallResult {
  readonly text: string;
  readonly structured: unknown;
  readonly isError: boolean;
}

/** An official client, connected: the same words for both major versions. */
export interface OfficialClient {
  /** The revision that was agreed on. */
  readonly revision: string;
  readonly serverName: string | undefined;
  tools(): Promise<string[]>;
  resources(): Promise<string[]>;
  templates(): Promise<string[]>;
  prompts(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  read(uri: string): Promise<{ uri: string; text?: string; blob?: string; mimeType?: string }[]>;
  /** Subscribes; the function that it gives unsubscribes. */
  watch(uri: string): Promise<() => Promise<void>>;
  prompt(name: string, args: Record<string, string>): Promise<{ role: string; text: string }[]>;
  setLogLevel(level: 'debug' | 'info' | 'error'): Promise<void>;
  close(): Promise<void>;
}

/** One official client in one era. */
export interface ClientColumn extends Column<string> {
  readonly revision: string;
  /** The code of the error that a read of something missing ends in, as this client shows it. */
  readonly missingCode: number;
  /** Starts the server that the arguments of `node` name, and connects. */
  connect(args: readonly string[], answers: Answers, heard: Heard): Promise<OfficialClient>;
}

/** The text of content blocks. */
export function textOf(content: unknown): string {
  const blocks = (Array.isArray(content) ? content : [content]) as { type: string; text?: string }[];
  return blocks.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}
