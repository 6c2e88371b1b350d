import { OVERLOADED } from '@rxmcp/jsonrpc';
import { markNotExecuted } from '../base/error-marks.js';
import { RpcError } from '../base/errors.js';
import { checkUriLength, maxKeyLength } from '../base/key-length.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Change } from '../eras/served.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import type { SharedConnectionLimits } from '../peer/limits.js';
import { shareOf } from '../peer/limits.js';
import type { MemoryHost } from '../peer/memory.js';
import type { Hub } from './hub.js';

/** What a watched resource takes besides its URI, in bytes. */
const watchBytes = 512;

/** The resources that one connection watches, in both eras. Their number is bounded; each URI counts once per principal. */
export class ResourceSubscriptions {
  /** The number of watched resources. */
  size = 0;
  /** The number of watches by principal and URI. */
  private parties: Map<string | undefined, Map<string, number>> = noParties;

  constructor(
    private readonly hub: Hub,
    private readonly max: number,
    private readonly guard: Guard | undefined = undefined,
    private readonly shares: SharedConnectionLimits | undefined = undefined,
    private readonly host: MemoryHost | undefined = undefined,
  ) {}

  /**
   * Returns the URIs of a filter that may be watched, each once. Throws -31001 if they would exceed the limit. A
   * filter that is too long is rejected before its entries are read.
   */
  admit(asked: readonly unknown[], { principal }: Caller): ReadonlySet<string> {
    const own = this.parties.get(principal) ?? noUris;
    if (asked.length > this.most(principal)) throw this.overload(principal);
    const uris = new Set(
      asked.filter((uri): uri is string => typeof uri === 'string' && uri.length <= maxKeyLength),
    );
    let fresh = 0;
    for (const uri of uris) if (!own.has(uri)) fresh += 1;
    if (!this.hasRoom(principal, fresh)) throw this.overload(principal);
    return uris;
  }

  /**
   * Watches one resource until the returned function is called. Throws -31001 at the limit, and the error of the
   * offer for its URI.
   */
  start(uri: string, caller: Caller, listener: (change: Change) => void): () => void {
    checkUriLength(quoted(uri), uri);
    const { principal } = caller;
    if (this.parties.get(principal)?.has(uri) !== true && !this.hasRoom(principal, 1))
      throw this.overload(principal);
    const { guard, host } = this;
    const heldBytes = watchBytes + 2 * uri.length;
    const stop =
      guard === undefined ? this.hub.watch(uri, caller, listener) : this.seen(guard, uri, caller, listener);
    if (host?.memory.tryCharge(host.holder, heldBytes) === false) {
      stop();
      throw this.overload(principal);
    }
    this.add(principal, uri);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.remove(principal, uri);
      host?.memory.release(host.holder, heldBytes);
      stop();
    };
  }

  private seen(guard: Guard, uri: string, caller: Caller, listener: (change: Change) => void): () => void {
    if (!guard.canWatch(caller, uri)) {
      this.hub.watchNotFound(uri);
      return () => undefined;
    }
    // Checked for each change: permissions can change, and a notification may name something below the watched URI.
    return this.hub.watch(
      uri,
      caller,
      (change) =>
        guard.canWatch(caller, change.uri ?? uri) && guard.canWatch(caller, uri) && listener(change),
    );
  }

  private add(principal: string | undefined, uri: string): void {
    if (this.parties === noParties) this.parties = new Map();
    let own = this.parties.get(principal);
    if (own === undefined) this.parties.set(principal, (own = new Map()));
    const times = own.get(uri) ?? 0;
    own.set(uri, times + 1);
    if (times === 0) this.size += 1;
  }

  private remove(principal: string | undefined, uri: string): void {
    const own = this.parties.get(principal);
    const left = (own?.get(uri) ?? 0) - 1;
    if (left > 0) own?.set(uri, left);
    else if (own?.delete(uri) === true) {
      this.size -= 1;
      if (own.size === 0) this.parties.delete(principal);
    }
  }

  private most(principal: string | undefined): number {
    const { shares, max } = this;
    return shares === undefined ? max : Math.min(max, shareOf(shares, principal).maxResourceSubscriptions);
  }

  private hasRoom(principal: string | undefined, fresh: number): boolean {
    const own = this.parties.get(principal)?.size ?? 0;
    return this.size + fresh <= this.max && own + fresh <= this.most(principal);
  }

  private overload(principal: string | undefined): RpcError {
    const message = `at most ${this.most(principal)} resources are watched on one connection`;
    return markNotExecuted(new RpcError(OVERLOADED, message, { retryable: true, retryAfterMs: 1_000 }));
  }
}

// Shared by all connections that watch nothing; never written to.
const noUris = new Map<string, number>();
const noParties = new Map<string | undefined, Map<string, number>>();
