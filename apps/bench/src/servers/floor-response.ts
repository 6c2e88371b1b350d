type Params = { protocolVersion: string; _meta?: object; arguments: { text: string } };

/** The result or error of a request, in the era of its metadata. */
export function responseTo(method: string, params: Params, tools: readonly object[]): object {
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

const [resultType, supportedVersions, self] = ['complete', ['2026-07-28'], { capabilities: { tools: {} } }];
const serverInfo = { name: 'floor', version: '1.0.0' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
