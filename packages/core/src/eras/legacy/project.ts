import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../is-object.js';

/**
 * A result as an older revision knows it: what came later is left out. Clients ignore members they do not know, so only
 * what would mislead or break one is taken away here.
 */
export function project(method: string, value: JsonObject, version: string): JsonObject {
  let result = value;
  if ('ttlMs' in result || 'cacheScope' in result || 'resultType' in result) {
    const { ttlMs: _ttl, cacheScope: _scope, resultType: _type, ...rest } = result;
    result = rest;
  }
  return method === 'tools/call' ? toolResult(result, version) : result;
}

// Structured results exist since 2025-06-18, as objects only; blocks of later revisions become text.
function toolResult(result: JsonObject, version: string): JsonObject {
  let projected = result;
  if ('structuredContent' in projected) {
    if (version < '2025-06-18' || !isObject(projected.structuredContent)) {
      const { structuredContent: _dropped, ...rest } = projected;
      projected = rest;
    }
  }
  const content = projected.content;
  if (version >= '2025-06-18' || !Array.isArray(content)) return projected;
  const known = version < '2025-03-26' ? oldest : second;
  if (content.every((block) => known.has((block as JsonObject).type))) return projected;
  return {
    ...projected,
    content: content.map((block: JsonObject) => (known.has(block.type) ? block : asText(block))),
  };
}

const oldest = new Set<unknown>(['text', 'image', 'resource']);
const second = new Set<unknown>([...oldest, 'audio']);

function asText(block: JsonObject): JsonObject {
  if (block.type === 'resource_link')
    return { type: 'text', text: `${String(block.name)}: ${String(block.uri)}` };
  return {
    type: 'text',
    text: `[${String(block.type)}, ${String(block.mimeType)}: not known to this revision]`,
  };
}
