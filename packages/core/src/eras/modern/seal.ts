import type { JsonObject } from '@rxmcp/jsonrpc';
import { INVALID_PARAMS } from '@rxmcp/jsonrpc';
import { fromBase64Url, toBase64Url } from '../../base/base64.js';
import { canonicalSteps } from '../../base/canonical-json.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { inTurns } from '../../peer/in-turns.js';

/**
 * A key that encrypts `requestState`, which a client returns with its answers to an ask (AES-256-GCM). Processes that
 * share the keys can continue each other's requests. The first key of `requestStateKeys` encrypts, all of them decrypt: put a
 * new key first and remove the old one 15 minutes later.
 * @see Spec 2026-07-28 basic/patterns/mrtr
 */
export interface RequestStateKey {
  /** Identifies the key. 1 to 64 characters, readable by the client. */
  readonly id: string;
  /** At least 32 random characters or bytes. */
  readonly secret: string | Uint8Array;
}

/** What a sealed state is bound to. With anything else it cannot be opened. */
export interface Binding {
  readonly method: string;
  readonly principal: string | undefined;
  readonly params: JsonObject;
  /** Whose turns of the event loop it takes. */
  readonly holder: string;
}

/** Seals and opens the state of a request that will be repeated. */
export interface Sealer {
  seal(state: JsonObject, binding: Binding): Promise<string>;
  /** Throws an RpcError for a state that is altered, expired, from another server, or bound to another request. */
  open(text: string, binding: Binding): Promise<JsonObject>;
}

const format = 1;
const lifetimeMs = 15 * 60_000;
/** By so much the ciphertext is longer. */
const tagBytes = 16;

/**
 * Creates a sealer that uses AES-256-GCM (Web Crypto). A state is base64url of a format byte, the id of the key, a
 * nonce and the ciphertext. The first key seals, all keys open. Without keys the process generates one.
 */
export function sealer(keys: readonly RequestStateKey[] | undefined, maxBytes: number): Sealer {
  const given = keys === undefined || keys.length === 0 ? [{ id: 'p', secret: randomBytes(32) }] : keys;
  for (const { id, secret } of given) {
    if (id === '' || id.length > 64) throw new TypeError(`state key id "${id}" must have 1 to 64 characters`);
    if (secret.length < 32) throw new TypeError(`the secret of state key "${id}" is shorter than 32 bytes`);
  }
  const imported = new Map<string, Promise<CryptoKey>>();
  const keyOf = (id: string): Promise<CryptoKey> | undefined => {
    const key = given.find((k) => k.id === id);
    if (key === undefined) return undefined;
    let made = imported.get(id);
    if (made === undefined) imported.set(id, (made = importKey(key.secret)));
    return made;
  };
  return {
    async seal(state, binding) {
      const text = encoder.encode(
        JSON.stringify({ ...state, params: await digestOf(binding), expires: Date.now() + lifetimeMs }),
      );
      const { id } = given[0] as RequestStateKey;
      const name = encoder.encode(id);
      const head = Uint8Array.of(format, name.length, ...name, ...randomBytes(12));
      // Four characters for three bytes. One that is too large is not encrypted first.
      const size = Math.ceil(((head.length + text.length + tagBytes) * 4) / 3);
      if (size > maxBytes) {
        throw new RxmcpError(
          'STATE_TOO_LARGE',
          `the "requestState" of "${binding.method}" has ${size} bytes, "maxRequestStateBytes" allows ${maxBytes}`,
        );
      }
      const key = (await keyOf(id)) as CryptoKey;
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv: head.subarray(-12), additionalData: bound(binding) },
        key,
        text,
      );
      const all = new Uint8Array(head.length + sealed.byteLength);
      all.set(head);
      all.set(new Uint8Array(sealed), head.length);
      return toBase64Url(all);
    },
    async open(text, binding) {
      const decoded = text.length > maxBytes ? undefined : fromBase64Url(text);
      if (decoded === undefined) throw rejected();
      const all = decoded as Uint8Array<ArrayBuffer>;
      try {
        const end = 2 + (all[1] ?? 0);
        const key = all[0] === format ? await keyOf(decoder.decode(all.subarray(2, end))) : undefined;
        if (key === undefined) throw rejected();
        const iv = all.subarray(end, end + 12);
        const opened = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv, additionalData: bound(binding) },
          key,
          all.subarray(end + 12),
        );
        const state = JSON.parse(decoder.decode(opened)) as JsonObject;
        if ((state.expires as number) < Date.now() || state.params !== (await digestOf(binding)))
          throw rejected();
        return state;
      } catch {
        // One error for every cause, so that a forger learns nothing from it.
        throw rejected();
      }
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function rejected(): RpcError {
  const message = '"requestState" is altered, expired, or of another request or "requestStateKeys"';
  return new RpcError(INVALID_PARAMS, message);
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

async function importKey(secret: string | Uint8Array): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : new Uint8Array(secret);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

// This part of the binding is authenticated data, so that a mismatch fails like an altered state.
function bound({ method, principal }: Binding): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify([method, principal]));
}

// In the state, and not in the authenticated data: megabytes of parameters with a forged state are not looked at.
async function digestOf({ params, holder }: Binding): Promise<string> {
  const { _meta, inputResponses: _answers, requestState: _state, ...salient } = params;
  const text = await inTurns(holder, canonicalSteps(salient));
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return toBase64Url(new Uint8Array(digest));
}
