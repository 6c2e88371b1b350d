import type { JsonObject } from '@rxmcp/jsonrpc';
import { isBase64, toBase64 } from '../base/base64.js';
import { isObject } from '../base/checks.js';
import { quoted, describeValue } from '../base/message-text.js';
import type { Icon } from '../contract/context.js';
import type { RemoteLink } from '../contract/remote-link.js';
import { type Annotations, assertAnnotations, omitInvalidAnnotations } from './annotations.js';
import { isMediaType, isSize, isString, droppedMemberReporter, assertSize } from './member-checks.js';
import type { OnMembersDropped, MemberChecks } from './member-checks.js';

/** The members that every content block may have. */
export interface ContentBlockOptions {
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

/** Text for the model or the user. */
export interface TextContent extends ContentBlockOptions {
  readonly type: 'text';
  readonly text: string;
}

/** An image. `data` is base64. */
export interface ImageContent extends ContentBlockOptions {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** Audio. `data` is base64. */
export interface AudioContent extends ContentBlockOptions {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** A link to a resource that the client can read. The resource need not be in a list. */
export interface ResourceLink extends ContentBlockOptions {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** The size in bytes, before base64. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

/** The contents of a text resource. */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly blob?: undefined;
  readonly _meta?: JsonObject;
}

/** The contents of a binary resource. `blob` is base64. */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly text?: undefined;
  readonly _meta?: JsonObject;
}

/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource whose contents are part of the message. */
export interface EmbeddedResource extends ContentBlockOptions {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/**
 * One piece of content of a tool result or a prompt message.
 * @see Schema 2026-07-28 ContentBlock
 */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/**
 * Creates a text block.
 * @throws TypeError for invalid annotations
 */
export function text(value: string, extras?: ContentBlockOptions): TextContent {
  if (extras !== undefined) assertAnnotations('a text', extras.annotations);
  return { type: 'text', text: value, ...extras };
}

/**
 * Creates an image block from bytes or base64.
 * @throws TypeError for data that is not base64, an invalid media type and invalid annotations
 */
export function image(
  given: Uint8Array | string,
  mimeType: string,
  extras?: ContentBlockOptions,
): ImageContent {
  if (extras !== undefined) assertAnnotations('a picture', extras.annotations);
  return { type: 'image', data: base64Of('a picture', given, mimeType), mimeType, ...extras };
}

/**
 * Creates an audio block from bytes or base64.
 * @throws TypeError for data that is not base64, an invalid media type and invalid annotations
 */
export function audio(
  given: Uint8Array | string,
  mimeType: string,
  extras?: ContentBlockOptions,
): AudioContent {
  if (extras !== undefined) assertAnnotations('a sound', extras.annotations);
  return { type: 'audio', data: base64Of('a sound', given, mimeType), mimeType, ...extras };
}

/**
 * Creates a link to a resource that the client can read.
 * @throws TypeError for an invalid size and invalid annotations
 */
export function resourceLink(
  uri: string,
  name: string,
  more?: Omit<ResourceLink, 'type' | 'uri' | 'name'>,
): ResourceLink {
  if (more !== undefined) {
    const where = `the link to ${quoted(uri)}`;
    assertAnnotations(where, more.annotations);
    assertSize(where, more.size);
  }
  return { type: 'resource_link', uri, name, ...more };
}

/**
 * Creates a block that contains a resource.
 * @throws TypeError for invalid annotations
 */
export function embeddedResource(resource: ResourceContents, extras?: ContentBlockOptions): EmbeddedResource {
  if (extras !== undefined) assertAnnotations('an embedded resource', extras.annotations);
  return { type: 'resource', resource, ...extras };
}

/** Whether an untrusted value is a content block. Unknown members are allowed; unknown types are not. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string';
    case 'resource_link':
      return typeof value['uri'] === 'string' && typeof value['name'] === 'string';
    case 'resource':
      return isResourceContents(value['resource']);
    default:
      return false;
  }
}

/** Says why an untrusted value is not a valid content block. Returns undefined for a valid one. */
export function validateContentBlock(value: unknown): string | undefined {
  if (!isContentBlock(value)) return 'is not a content block';
  if (value.type !== 'image' && value.type !== 'audio') return undefined;
  const { type, mimeType } = value;
  const problem = isMediaType(mimeType)
    ? isBase64(value.data)
      ? undefined
      : noBase64
    : noMediaType(mimeType);
  return problem === undefined ? undefined : `is of the type ${quoted(type)}, whose ${problem}`;
}

/**
 * Returns the blocks without annotations and link members of a wrong type, or the same array if all are valid.
 * Reports what was removed as a fault of `link`.
 */
export function sanitizeContentBlocks(
  blocks: readonly ContentBlock[],
  link: Pick<RemoteLink, 'fault'>,
  method: string,
  where: string,
): readonly ContentBlock[] {
  let kept: ContentBlock[] | undefined;
  let onDropped: OnMembersDropped | undefined;
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as ContentBlock;
    if (isBare(block)) continue;
    onDropped ??= droppedMemberReporter(link, method)(where);
    const one = sanitizeContentBlock(block, onDropped);
    if (one !== block) (kept ??= [...blocks])[at] = one;
  }
  return kept ?? blocks;
}

/** Returns a received block without annotations and link members of a wrong type, or the block itself if all are valid. */
export function sanitizeContentBlock<T extends ContentBlock>(block: T, onDropped: OnMembersDropped): T {
  if (isBare(block)) return block;
  const checks = block.type === 'resource_link' ? linkChecks : noChecks;
  return omitInvalidAnnotations(block as unknown as JsonObject, checks, onDropped) as unknown as T;
}

/** Whether a block has no member that could be removed. */
function isBare(block: ContentBlock): boolean {
  return block.annotations === undefined && block.type !== 'resource_link';
}

/** Whether an untrusted value is the contents of a resource. */
export function isResourceContents(value: unknown): value is ResourceContents {
  if (!isObject(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

const noChecks: MemberChecks = {};
const linkChecks: MemberChecks = { size: isSize, title: isString, description: isString, mimeType: isString };

// The author of a handler passes these values, so that a wrong one throws at once instead of causing a fault.
function base64Of(where: string, given: Uint8Array | string, mimeType: string): string {
  if (!isMediaType(mimeType)) throw new TypeError(`${where}: ${noMediaType(mimeType)}`);
  if (typeof given !== 'string') return toBase64(given);
  if (!isBase64(given)) throw new TypeError(`${where}: ${noBase64}`);
  return given;
}

const noBase64 = '"data" is not base64';

function noMediaType(value: unknown): string {
  return `"mimeType" ${describeValue(value)} is not a media type such as "image/png"`;
}
