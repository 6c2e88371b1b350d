import type { Readable, Writable } from 'node:stream';

/** The least code that answers as the others do: split, parse, one switch, stringify, one write per chunk. */
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

  type Params = { protocolVersion: string; _meta?: object; arguments: { text: string } };
  function answer(method: string, params: Params): object {
    switch (method) {
      case 'tools/call': {
        const content = [{ type: 'text', text: params.arguments.text }];
        return { result: params._meta === undefined ? { content } : { resultType, content, _meta } };
      }
      case 'tools/list':
        return { result: { resultType, tools, ttlMs: 0, cacheScope: 'private', _meta } };
      case 'server/discover':
        return { result: { resultType, supportedVersions, ttlMs: 0, cacheScope: 'private', ...self, _meta } };
      case 'initialize':
        return { result: { protocolVersion: params.protocolVersion, serverInfo, ...self } };
    }
    return { error: { code: -32601, message: 'unknown method' } };
  }
}
const [resultType, supportedVersions, self] = ['complete', ['2026-07-28'], { capabilities: { tools: {} } }];
const serverInfo = { name: 'floor', version: '1.0.0' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
