import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../is-object.js';
import { blockRule } from './blocks.js';
import { r06 } from './revisions.js';
import type { Rule } from '../../rule.js';
import { chain, inEach } from '../../rule.js';

/** Results of tools: data since 2025-06-18, as an object only. What cannot travel as data travels as text. */
export function toolResultRule(revision: string): Rule | undefined {
  return chain(revision < r06 ? noData : objectsOnly, inEach('content', blockRule(revision)));
}

/** Data that is no object becomes text. */
export function objectsOnly(result: JsonObject): JsonObject {
  const data = result.structuredContent;
  return data === undefined || isObject(data) ? result : told(result);
}

function noData(result: JsonObject): JsonObject {
  return result.structuredContent === undefined ? result : told(result);
}

function told({ structuredContent, ...rest }: JsonObject): JsonObject {
  const content: readonly unknown[] = Array.isArray(rest.content) ? rest.content : [];
  const text = JSON.stringify(structuredContent);
  return content.some((block) => says(block, text))
    ? rest
    : { ...rest, content: [...content, { type: 'text', text }] };
}

// Most tools tell their data as text too, for clients that read nothing else.
function says(block: unknown, json: string): boolean {
  if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return false;
  if (block.text === json) return true;
  try {
    return JSON.stringify(JSON.parse(block.text)) === json;
  } catch {
    return false;
  }
}
