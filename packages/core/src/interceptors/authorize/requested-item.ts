import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';

/** Names the kinds of items that {@link authorize} restricts. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'template';

/** The item that a request names. */
export interface RequestTarget {
  readonly kind: ItemKind;
  readonly name: string;
  /** True if the request completes an argument of the item. */
  readonly completing?: boolean;
}

/** Returns the item that a request names; undefined if it names none that can be restricted, or is malformed. */
export function requestTarget(method: string, params: JsonObject): RequestTarget | undefined {
  if (method === 'tools/call') return named('tool', params.name);
  if (method === 'prompts/get') return named('prompt', params.name);
  if (method === 'resources/read') return named('resource', params.uri);
  if (method !== 'completion/complete' || !isObject(params.ref)) return undefined;
  const { type, name, uri } = params.ref;
  const found = type === 'ref/prompt' ? named('prompt', name) : named('template', uri);
  return found === undefined ? undefined : { ...found, completing: true };
}

/** Creates the error for an item that does not exist, as offers do. */
export function notFoundError({ kind, name, completing = false }: RequestTarget): RxmcpError {
  if (completing)
    return new RxmcpError(
      'INVALID_PARAMS',
      `completion/complete: nothing is known of ${kind} ${quoted(name)}`,
    );
  if (kind === 'resource')
    return new RxmcpError('RESOURCE_NOT_FOUND', `no resource ${quoted(name)}`, { data: { uri: name } });
  return new RxmcpError('INVALID_PARAMS', `unknown ${kind} ${quoted(name)}`);
}

/**
 * Returns the error of a missing item without hints at other items, and with the general text for resources.
 * Returns all other errors unchanged.
 */
export function hideNotFoundDetails(item: RequestTarget, error: unknown): unknown {
  const plain = notFoundError(item);
  if (item.kind === 'resource' && !item.completing && isMissing(error)) return plain;
  return RxmcpError.is(error, plain.code) && error.message.startsWith(plain.message) ? plain : error;
}

function isMissing(error: unknown): boolean {
  return (
    RxmcpError.is(error, 'RESOURCE_NOT_FOUND') || (RpcError.is(error) && error.code === RESOURCE_NOT_FOUND)
  );
}

/** The code of older revisions for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;

function named(kind: ItemKind, name: unknown): RequestTarget | undefined {
  return typeof name === 'string' ? { kind, name } : undefined;
}

/** The kind of a list's entries, the member that holds them, and the member that identifies an entry. */
export interface ListOf {
  readonly kind: ItemKind;
  readonly member: string;
  readonly key: string;
}

/** Each list by its method. */
export const listMethods: ReadonlyMap<string, ListOf> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools', key: 'name' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts', key: 'name' }],
  ['resources/list', { kind: 'resource', member: 'resources', key: 'uri' }],
  ['resources/templates/list', { kind: 'template', member: 'resourceTemplates', key: 'uriTemplate' }],
]);
