import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import type { Rule } from '../../projection-rule.js';
import { chain, inEach, inMember, without } from '../../projection-rule.js';
import { r03, r06 } from './since.js';
import * as since from './since.js';

/** The revision that introduced each member. */
export type Members = Readonly<Record<string, string>>;

/** Returns a rule that removes the members that a revision does not have; undefined if it has all. */
export function trimmed(members: Members, revision: string): Rule | undefined {
  return without(Object.keys(members).filter((name) => revision < (members[name] as string)));
}

/** Returns the same rule for an object that may have annotations. */
export function annotated(members: Members, revision: string): Rule | undefined {
  return chain(trimmed(members, revision), inMember('annotations', trimmed(since.annotations, revision)));
}

/** Returns the rule for content blocks. A block that the revision does not have becomes text. */
export function blockRule(revision: string): Rule | undefined {
  const plain = annotated(since.block, revision);
  const link = annotated(since.resource, revision);
  const carried = chain(plain, inMember('resource', trimmed(since.contents, revision)));
  if (plain === undefined && link === undefined && carried === undefined) return undefined;
  const known = revision < r03 ? oldest : second;
  const hasLinks = revision >= r06;
  return (block) => {
    const readable = hasLinks || known.has(block.type) ? block : asText(block);
    const { type } = readable;
    const rule = type === 'resource_link' ? link : type === 'resource' ? carried : plain;
    return rule === undefined ? readable : rule(readable);
  };
}

const oldest = new Set<unknown>(['text', 'image', 'resource']);
const second = new Set<unknown>([...oldest, 'audio']);

function asText({ type, name, uri, mimeType, annotations }: JsonObject): JsonObject {
  const text =
    type === 'resource_link'
      ? `${String(name)}: ${String(uri)}`
      : `[${String(type)}, ${String(mimeType)}: not known to this revision]`;
  return annotations === undefined ? { type: 'text', text } : { type: 'text', text, annotations };
}

/**
 * Returns the rule for tool results. Structured content exists since 2025-06-18 and must be an object; other data
 * becomes text.
 */
export function toolResultRule(revision: string): Rule | undefined {
  return chain(revision < r06 ? noData : objectsOnly, inEach('content', blockRule(revision)));
}

/** Converts structured content that is not an object to text. */
export function objectsOnly(result: JsonObject): JsonObject {
  const data = result.structuredContent;
  return data === undefined || isObject(data) ? result : dataAsText(result);
}

function noData(result: JsonObject): JsonObject {
  return result.structuredContent === undefined ? result : dataAsText(result);
}

function dataAsText({ structuredContent, ...rest }: JsonObject): JsonObject {
  const content: readonly unknown[] = Array.isArray(rest.content) ? rest.content : [];
  const text = JSON.stringify(structuredContent);
  return content.some((block) => says(block, text))
    ? rest
    : { ...rest, content: [...content, { type: 'text', text }] };
}

// Most tools also return their data as text, for clients that read nothing else.
function says(block: unknown, json: string): boolean {
  if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return false;
  if (block.text === json) return true;
  try {
    return JSON.stringify(JSON.parse(block.text)) === json;
  } catch {
    return false;
  }
}
