import type { Readable, Writable } from 'node:stream';

/** The least code that answers correctly: split, parse, one switch, stringify, one write per chunk. */
export function serve(input: Readable, output: Writable, tools: readonly object[]): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    rest += chunk;
    if (!chunk.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    let out = '';
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined) out += JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }) + '\n';
    }
    if (out !== '') output.write(out);
  });

  type Params = { protocolVersion: string; arguments: { text: string } };
  function answer(method: string, params: Params): object {
    switch (method) {
      case 'tools/call':
        return { result: { resultType, content: [{ type: 'text', text: params.arguments.text }] } };
      case 'tools/list':
        return { result: { resultType, tools, ttlMs: 0, cacheScope: 'private' } };
      case 'server/discover': {
        const supportedVersions = ['2026-07-28', '2025-11-25'];
        return { result: { resultType, supportedVersions, capabilities, ttlMs: 0, cacheScope: 'private' } };
      }
      case 'initialize':
        return { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } };
    }
    return { error: { code: -32601, message: 'unknown method' } };
  }
}
const resultType = 'complete';
const capabilities = { tools: {} };
const serverInfo = { name: 'floor', version: '1.0.0' };
