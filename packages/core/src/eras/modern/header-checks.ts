import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { HEADER_MISMATCH } from '@rxmcp/jsonrpc';
import { targetParams, targetName } from '@rxmcp/jsonrpc/internal';
import type { SendOptions, MessageHeaders } from '@rxmcp/transport';
import { noMembers } from '../../base/checks.js';
import { RpcError } from '../../base/errors.js';
import { quoted, describeValue } from '../../base/message-text.js';
import type { HeaderParam } from '../../contract/offer.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { headerParamText, valueAtPath } from '../../schema/mirrored-params.js';
import type { DialledConnection } from '../dialled.js';
import type { EraConnection } from '../served.js';

/**
 * Returns the headers of a request, if the transport carries headers: version, method, the name of the target, and
 * the parameters that the server requires there.
 * @see Spec 2026-07-28 basic/transports/streamable-http#request-metadata
 */
export function requestOptions(
  { connection, version }: Pick<DialledConnection, 'connection' | 'version'>,
  method: string,
  params: JsonObject | undefined,
  headerParams: readonly HeaderParam[] | undefined,
): SendOptions | undefined {
  if (!connection.traits.carriesHeaders) return undefined;
  const headers: Record<string, string> = { version, method };
  const name = targetName(method, params);
  if (name !== undefined) headers.name = name;
  if (params !== undefined && headerParams !== undefined) {
    for (const { header, path } of headerParams) {
      const text = headerParamText(valueAtPath(params, path));
      if (text !== undefined) headers[`param.${header}`] = text;
    }
  }
  return { version, headers };
}

/** Compares the version and method headers with the request. Throws -32020 if they differ. */
export function checkHead(
  { traits }: Pick<EraConnection, 'traits'>,
  request: JsonRpcRequest,
  version: string,
  headers: MessageHeaders = noMembers as MessageHeaders,
): void {
  if (!traits.carriesHeaders) return;
  if (headers.version !== version) throw mismatch('version', headers.version, version);
  if (headers.method !== request.method) throw mismatch('method', headers.method, request.method);
}

/**
 * Compares the header of the target and those of parameters with the request. Throws -32020 if they differ, or
 * rejects with it if the offer determines the parameters asynchronously.
 */
export function checkParams(
  { traits, core }: Pick<EraConnection, 'traits'> & { readonly core?: Pick<EraConnection['core'], 'guard'> },
  exchange: PendingExchange,
): Promise<void> | undefined {
  if (!traits.carriesHeaders) return undefined;
  const { method, params, offer } = exchange;
  const headers = exchange.receiveInfo?.headers ?? (noMembers as MessageHeaders);
  const name = targetName(method, params);
  if (targetParams.has(method) && headers.name !== name) throw mismatch('name', headers.name, name);
  // A hidden tool requires no headers, like one that does not exist. Another error would distinguish the two.
  if (core?.guard?.hides(exchange.caller, method, params) === true) return undefined;
  const headerParams = offer?.headerParams?.(params);
  if (headerParams instanceof Promise) return headerParams.then((later) => compare(params, headers, later));
  if (headerParams !== undefined) compare(params, headers, headerParams);
  return undefined;
}

function compare(params: JsonObject, headers: MessageHeaders, headerParams: readonly HeaderParam[]): void {
  for (const { header, path } of headerParams) {
    const value = valueAtPath(params, path);
    const expected = headerParamText(value);
    const received = headers[`param.${header}`];
    const same =
      received === expected ||
      (typeof value === 'number' && received !== undefined && sameNumber(received, value));
    if (!same) throw mismatch(`param ${quoted(header)}`, received, expected);
  }
}

// 42.0 equals 42, in any decimal notation.
function sameNumber(text: string, value: number): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number(text) === value;
}

function mismatch(what: string, received: string | undefined, expected: string | undefined): RpcError {
  const [sent, inside] = [received, expected].map((text) =>
    text === undefined ? 'absent' : describeValue(text),
  );
  const message = `the header for the ${what} is ${sent}, the request has ${inside}`;
  return RpcError.fromResponse({ code: HEADER_MISMATCH, message });
}
