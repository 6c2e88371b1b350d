import type { JsonObject } from '@rxmcp/jsonrpc';
import { refuseAnnotations } from './annotations.js';
import { isObject } from './is-object.js';
import { quoted } from './names.js';
import { isSize, refuseSize } from './size.js';
import type { LeftOut, MemberChecks } from './well-typed.js';
import { isString, wellAnnotated } from './well-typed.js';

/** Who speaks. */
export type Role = 'user' | 'assistant';

/** Hints about a piece of content; not to be trusted (spec 2026-07-28 server/resources#annotations). */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 1 = needed, 0 = entirely optional. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
  readonly [member: string]: unknown;
}

/** A picture that stands for something in a user interface. */
export interface Icon {
  /** An `https:` or `data:` uri. */
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
  readonly [member: string]: unknown;
}

/** What every block of content may carry. */
export interface BlockExtras {
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

/** Text for the model or the user. */
export interface TextContent extends BlockExtras {
  readonly type: 'text';
  readonly text: string;
}

/** A picture, base64. */
export interface ImageContent extends BlockExtras {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** Sound, base64. */
export interface AudioContent extends BlockExtras {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** A resource that can be read; it need not be listed. */
export interface ResourceLink extends BlockExtras {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes, before any base64. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

/** The contents of a resource as text. */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly blob?: undefined;
  readonly _meta?: JsonObject;
}

/** The contents of a resource as base64. */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly text?: undefined;
  readonly _meta?: JsonObject;
}

/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource that travels along. */
export interface EmbeddedResource extends BlockExtras {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** One piece of content of a tool result or a prompt message (schema 2026-07-28 ContentBlock). */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** Text for the model or the user. Throws a TypeError for bad annotations, as all that make blocks do. */
export function text(value: string, extras?: BlockExtras): TextContent {
  if (extras !== undefined) refuseAnnotations('a text', extras.annotations);
  return { type: 'text', text: value, ...extras };
}

/** A picture, given as bytes or as base64. */
export function image(data: Uint8Array | string, mimeType: string, extras?: BlockExtras): ImageContent {
  if (extras !== undefined) refuseAnnotations('a picture', extras.annotations);
  return { type: 'image', data: base64(data), mimeType, ...extras };
}

/** Sound, given as bytes or as base64. */
export function audio(data: Uint8Array | string, mimeType: string, extras?: BlockExtras): AudioContent {
  if (extras !== undefined) refuseAnnotations('a sound', extras.annotations);
  return { type: 'audio', data: base64(data), mimeType, ...extras };
}

/** Points to a resource that the client can read. Throws a TypeError for a bad size as well. */
export function resourceLink(
  uri: string,
  name: string,
  more?: Omit<ResourceLink, 'type' | 'uri' | 'name'>,
): ResourceLink {
  if (more !== undefined) {
    const where = `the link to ${quoted(uri)}`;
    refuseAnnotations(where, more.annotations);
    refuseSize(where, more.size);
  }
  return { type: 'resource_link', uri, name, ...more };
}

/** Carries the contents of a resource along. */
export function embedded(resource: ResourceContents, extras?: BlockExtras): EmbeddedResource {
  if (extras !== undefined) refuseAnnotations('an embedded resource', extras.annotations);
  return { type: 'resource', resource, ...extras };
}

/** Whether a value from anywhere is a block of content; unknown members are fine, unknown types are not. */
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

/** A block from the wire without annotations, and members of a link, that are none; the block itself where all is well. */
export function keptBlock<T extends ContentBlock>(block: T, leftOut: LeftOut): T {
  const isLink = block.type === 'resource_link';
  if (block.annotations === undefined && !isLink) return block;
  return wellAnnotated(
    block as unknown as JsonObject,
    isLink ? linkChecks : noChecks,
    leftOut,
  ) as unknown as T;
}

/** Whether a value from anywhere is the contents of a resource. */
export function isResourceContents(value: unknown): value is ResourceContents {
  if (!isObject(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

const noChecks: MemberChecks = {};
const linkChecks: MemberChecks = { size: isSize, title: isString, description: isString, mimeType: isString };

function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data;
  let binary = '';
  // In slices: a spread of a large array overflows the stack.
  for (let at = 0; at < data.length; at += 8_192) {
    binary += String.fromCharCode(...data.subarray(at, at + 8_192));
  }
  return btoa(binary);
}
