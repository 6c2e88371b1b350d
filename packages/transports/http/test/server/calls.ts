import { vi } from 'vitest';

/** What goes with every POST. */
export const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request of the modern era, with the headers that repeat it. */
export function modern(method: string, params: Record<string, unknown> = {}, id: unknown = 1): RequestInit {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: { ...usual, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  };
}

/** A POST of anything. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { ...usual, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** A request of a session. */
export function request(method: string, params: Record<string, unknown> = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** A GET of events. */
export function listening(headers: Record<string, string>, more: RequestInit = {}): RequestInit {
  return { headers: { ...headers, accept: 'text/event-stream' }, ...more };
}

/** The messages in a text of events. */
export function messagesIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
}

/** The ids in a text of events. */
export function idsIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('id: '))
    .map((line) => line.slice(4));
}

/** Waits for something that another side does; the machine may be busy with other things. */
export function until(holds: () => boolean): Promise<true> {
  return vi.waitUntil(holds, { interval: 2 });
}
