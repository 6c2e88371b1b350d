import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';

/** What can be allowed to a caller. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'template';

/** What a request is about. */
export interface RequestTarget {
  readonly kind: ItemKind;
  readonly name: string;
  /** It is to be completed, not used. */
  readonly completing?: boolean;
}

/** What a request is about; undefined where it is about nothing that can be allowed, or is malformed. */
export function requestTarget(method: string, params: JsonObject): RequestTarget | undefined {
  if (method === 'tools/call') return named('tool', params.name);
  if (method === 'prompts/get') return named('prompt', params.name);
  if (method === 'resources/read') return named('resource', params.uri);
  if (method !== 'completion/complete' || !isObject(params.ref)) return undefined;
  const { type, name, uri } = params.ref;
  const found = type === 'ref/prompt' ? named('prompt', name) : named('template', uri);
  return found === undefined ? undefined : { ...found, completing: true };
}

/** The error of something that is not there, as the offers say it. */
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
 * The same error for what is really not there: without a hint at something else, and of a resource in these words whatever its source
 * says. All other errors pass.
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

/** What older revisions say of a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

function named(kind: ItemKind, name: unknown): RequestTarget | undefined {
  return typeof name === 'string' ? { kind, name } : undefined;
}

/** Where a list has its entries, and what an entry is allowed by. */
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
