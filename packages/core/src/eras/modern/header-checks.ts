import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { HEADER_MISMATCH } from '@rxmcp/jsonrpc';
import { targetParams, targetName } from '@rxmcp/jsonrpc/internal';
import type { SendOptions, MessageHeaders } from '@rxmcp/transport';
import { RpcError } from '../../base/errors.js';
import { quoted, describeValue } from '../../base/message-text.js';
import type { HeaderParam } from '../../contract/offer.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { headerParamText, valueAtPath } from '../../schema/mirrored-params.js';
import type { DialledConnection } from '../dialled.js';
import type { ServingConnection } from '../served.js';

/**
 * What travels beside a request, where the carrier has a place for it: version, method, what the method names, and the
 * parameters that the server wants there. Spec 2026-07-28 basic/transports/streamable-http#request-metadata.
 */
export function envelope(
  { connection, version }: Pick<DialledConnection, 'connection' | 'version'>,
  method: string,
  params: JsonObject | undefined,
  mirrored: readonly HeaderParam[] | undefined,
): SendOptions | undefined {
  if (!connection.traits.carriesHeaders) return undefined;
  const mirror: Record<string, string> = { version, method };
  const name = targetName(method, params);
  if (name !== undefined) mirror.name = name;
  if (params !== undefined && mirrored !== undefined) {
    for (const { header, path } of mirrored) {
      const text = headerParamText(valueAtPath(params, path));
      if (text !== undefined) mirror[`param.${header}`] = text;
    }
  }
  return { version, headers: mirror };
}

/** Compares what came beside a request with what it says of version and method. Throws -32020. */
export function checkHead(
  { traits }: Pick<ServingConnection, 'traits'>,
  request: JsonRpcRequest,
  version: string,
  mirror: MessageHeaders = none,
): void {
  if (!traits.carriesHeaders) return;
  if (mirror.version !== version) throw mismatch('version', mirror.version, version);
  if (mirror.method !== request.method) throw mismatch('method', mirror.method, request.method);
}

/**
 * Compares what came beside a request with what it names and with those of its parameters that its offer wants there.
 * Throws -32020, or rejects with it where the offer says later what it wants.
 */
export function checkParams(
  {
    traits,
    core,
  }: Pick<ServingConnection, 'traits'> & { readonly core?: Pick<ServingConnection['core'], 'guard'> },
  exchange: PendingExchange,
): Promise<void> | undefined {
  if (!traits.carriesHeaders) return undefined;
  const { method, params, offer } = exchange;
  const mirror = exchange.arrival?.headers ?? none;
  const name = targetName(method, params);
  if (targetParams.has(method) && mirror.name !== name) throw mismatch('name', mirror.name, name);
  // What is hidden wants nothing beside the body, as what is not there: a refusal of its own would tell the two apart.
  if (core?.guard?.hides(exchange.caller, method, params) === true) return undefined;
  const mirrored = offer?.headerParams?.(params);
  if (mirrored instanceof Promise) return mirrored.then((later) => compare(params, mirror, later));
  if (mirrored !== undefined) compare(params, mirror, mirrored);
  return undefined;
}

function compare(params: JsonObject, mirror: MessageHeaders, mirrored: readonly HeaderParam[]): void {
  for (const { header, path } of mirrored) {
    const value = valueAtPath(params, path);
    const expected = headerParamText(value);
    const told = mirror[`param.${header}`];
    const same =
      told === expected || (typeof value === 'number' && told !== undefined && sameNumber(told, value));
    if (!same) throw mismatch(`param ${quoted(header)}`, told, expected);
  }
}

// 42.0 is 42, in whatever decimal way it is written.
function sameNumber(text: string, value: number): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number(text) === value;
}

function mismatch(what: string, told: string | undefined, expected: string | undefined): RpcError {
  const [beside, inside] = [told, expected].map((text) =>
    text === undefined ? 'absent' : describeValue(text),
  );
  const message = `the ${what} beside the request is ${beside}, in it ${inside}`;
  return RpcError.fromResponse({ code: HEADER_MISMATCH, message });
}

const none: MessageHeaders = /* @__PURE__ */ Object.freeze({});
