/** The two ways of speaking that are measured. */
export type BenchEra = 'legacy' | 'modern';

/** The revision that is spoken in each era. */
export const versions: Readonly<Record<BenchEra, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };

/** What a client of the modern era says of itself with each request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': versions.modern,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The request that opens a connection, and its method. */
export function opening(era: BenchEra, id: number): [message: string, method: string] {
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const handshake = { protocolVersion: versions.legacy, capabilities: {}, clientInfo };
  return era === 'modern'
    ? request(id, 'server/discover', { _meta: modernMeta })
    : request(id, 'initialize', handshake);
}

/** What a client of the legacy era says next. */
export const initialized: [message: string, method: string] = [
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  'notifications/initialized',
];

/** The request that asks for the tools, and its method. */
export function listing(era: BenchEra, id: number): [message: string, method: string] {
  return request(id, 'tools/list', era === 'modern' ? { _meta: modernMeta } : {});
}

/** One call: the same bytes for every contestant. */
export function calling(era: BenchEra, id: number, extra: object = {}): string {
  const meta = era === 'modern' ? { _meta: modernMeta } : {};
  const params = { ...meta, name: 'echo', arguments: { text: expectedText(id), ...extra } };
  return request(id, 'tools/call', params)[0];
}

/** What call number `id` says. */
export function expectedText(id: number): string {
  return `hello number ${id}`;
}

/** Throws unless a response is the right one to its call. */
export function checkReply(era: BenchEra, message: Reply): void {
  const { id, result } = message;
  const block = result?.content?.[0];
  const complete = era === 'legacy' || result?.resultType === 'complete';
  if (complete && result?.isError !== true && block?.type === 'text' && block.text === expectedText(id))
    return;
  throw new Error(`a wrong reply: ${JSON.stringify(message).slice(0, 300)}`);
}

/** A response, as far as it is looked at. */
export interface Reply {
  readonly id: number;
  readonly result?: {
    readonly resultType?: string;
    readonly isError?: boolean;
    readonly tools?: readonly unknown[];
    readonly content?: readonly { readonly type: string; readonly text: string }[];
  };
}

function request(id: number, method: string, params: object): [message: string, method: string] {
  return [JSON.stringify({ jsonrpc: '2.0', id, method, params }), method];
}
