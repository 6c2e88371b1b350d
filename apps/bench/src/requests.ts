/** The two ways of speaking that are measured. */
export type BenchEra = 'legacy' | 'modern';

/** What a client of the modern era says of itself with each request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The lines that open a connection; the first is answered. */
export function opening(era: BenchEra, id: number): string {
  if (era === 'modern') return line({ id, method: 'server/discover', params: { _meta: modernMeta } });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  return line({ id, method: 'initialize', params }) + line({ method: 'notifications/initialized' });
}

/** The line that asks for the tools. */
export function listing(era: BenchEra, id: number): string {
  return line({ id, method: 'tools/list', params: era === 'modern' ? { _meta: modernMeta } : {} });
}

/** The line of one call: the same bytes for every contestant. */
export function calling(era: BenchEra, id: number, extra: object = {}): string {
  const meta = era === 'modern' ? { _meta: modernMeta } : {};
  return line({
    id,
    method: 'tools/call',
    params: { ...meta, name: 'echo', arguments: { text: said(id), ...extra } },
  });
}

/** What call number `id` says. */
export function said(id: number): string {
  return `hello number ${id}`;
}

/** Throws unless an answer is the right one to its call. */
export function checkReply(era: BenchEra, message: Reply): void {
  const { id, result } = message;
  const block = result?.content?.[0];
  const complete = era === 'legacy' || result?.resultType === 'complete';
  if (complete && result?.isError !== true && block?.type === 'text' && block.text === said(id)) return;
  throw new Error(`a wrong reply: ${JSON.stringify(message).slice(0, 300)}`);
}

/** An answer, as far as it is looked at. */
export interface Reply {
  readonly id: number;
  readonly result?: {
    readonly resultType?: string;
    readonly isError?: boolean;
    readonly tools?: readonly unknown[];
    readonly content?: readonly { readonly type: string; readonly text: string }[];
  };
}

function line(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n';
}
