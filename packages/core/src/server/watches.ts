import { OVERLOADED } from '@rxmcp/jsonrpc';
import type { Caller } from '../context.js';
import { McpError, RpcError } from '../errors.js';
import type { Guard } from '../interceptors/guard.js';
import { quoted } from '../names.js';
import type { Change, Hub } from './hub.js';

const maxUriLength = 65_536;

/** The resources that one connection watches, whichever way it asked: a bounded number, each uri counted once. */
export class Watches {
  private uris: Map<string, number> = none;

  constructor(
    private readonly hub: Hub,
    private readonly max: number,
    private readonly guard: Guard | undefined = undefined,
  ) {}

  /** How many are watched. */
  get size(): number {
    return this.uris.size;
  }

  /**
   * Takes from a filter the uris that may be watched, each once. Throws -31001 when they do not find room beside what is
   * watched already; a long list is refused before it is looked at.
   */
  admit(asked: readonly unknown[]): ReadonlySet<string> {
    if (asked.length > this.max) throw this.overload();
    const uris = new Set(asked.filter((uri): uri is string => typeof uri === 'string' && fits(uri)));
    let fresh = 0;
    for (const uri of uris) if (!this.uris.has(uri)) fresh += 1;
    if (this.uris.size + fresh > this.max) throw this.overload();
    return uris;
  }

  /** Watches one resource until the returned function is called. Throws -31001, and what the offer says of the uri. */
  start(uri: string, caller: Caller, listener: (change: Change) => void): () => void {
    if (!fits(uri)) {
      const message = `${quoted(uri)}: a uri of ${uri.length} characters is too long`;
      throw new McpError('PARAMS_INVALID', message);
    }
    if (this.uris.size >= this.max && !this.uris.has(uri)) throw this.overload();
    const { guard } = this;
    guard?.checkWatch(caller, uri);
    const stop = this.hub.watch(
      uri,
      caller,
      // Asked anew each time: what a caller may see can change, and a notice may name something below what is watched.
      guard === undefined
        ? listener
        : (change) =>
            guard.mayHear(caller, change.uri ?? uri) && guard.mayHear(caller, uri) && listener(change),
    );
    if (this.uris === none) this.uris = new Map();
    this.uris.set(uri, (this.uris.get(uri) ?? 0) + 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      const left = (this.uris.get(uri) ?? 0) - 1;
      if (left > 0) this.uris.set(uri, left);
      else this.uris.delete(uri);
      stop();
    };
  }

  private overload(): RpcError {
    return new RpcError(OVERLOADED, `at most ${this.max} resources are watched on one connection`, {
      retryable: true,
      retryAfterMs: 1_000,
    });
  }
}

function fits(uri: string): boolean {
  return uri.length <= maxUriLength;
}

// For all that watch nothing, and never written to.
const none = new Map<string, number>();
