import type { JsonObject } from '@rxmcp/jsonrpc';
import { annotated, trimmed } from './members.js';
import { r03, r06 } from './revisions.js';
import type { Rule } from '../../rule.js';
import { chain, inMember } from '../../rule.js';
import * as since from './since.js';

/** Blocks of content as a revision knows them: what it cannot show becomes text. */
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
