import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { HEADER_MISMATCH, targetParams, targetName } from '@rxmcp/jsonrpc';
import type { SendOptions, MessageHeaders } from '@rxmcp/transport';
import { RpcError } from '../../base/errors.js';
import { quoted, describeValue } from '../../base/message-text.js';
import type { HeaderParam } from '../../contract/offer.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { headerParamText, valueAtPath } from '../../schema/mirrored-params.js';
import type { DialledConnection } from '../dialled.js';
import type { ServingConnection } from '../served.js';

/**
 * Returns the headers of a request, if the transport carries headers: version, method, the name of the target, and
 * the parameters that the server requires there.
 * @see Spec 2026-07-28 basic/transports/streamable-http#request-metadata
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

/** Compares the version and method headers with the request. Throws -32020 if they differ. */
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
 * Compares the header of the target and those of parameters with the request. Throws -32020 if they differ, or
 * rejects with it if the offer determines the parameters asynchronously.
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
  // A hidden tool requires no headers, like one that does not exist. Another error would distinguish the two.
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

// 42.0 equals 42, in any decimal notation.
function sameNumber(text: string, value: number): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number(text) === value;
}

function mismatch(what: string, told: string | undefined, expected: string | undefined): RpcError {
  const [sent, inside] = [told, expected].map((text) =>
    text === undefined ? 'absent' : describeValue(text),
  );
  const message = `the header for the ${what} is ${sent}, the request has ${inside}`;
  return RpcError.fromResponse({ code: HEADER_MISMATCH, message });
}

const none: MessageHeaders = /* @__PURE__ */ Object.freeze({});
