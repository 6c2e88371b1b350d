import type { Traits } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/internal';
import type { EndpointContext } from '../create-endpoint-context.js';
import { StatelessHost } from './stateless-host.js';

/** The connections of requests without a session: one for all callers, or one per principal where the connection handler requires it. */
export class StatelessHosts {
  readonly #open = new Map<string | undefined, StatelessHost>();
  readonly #isPerPrincipal: boolean;
  #isEnding = false;

  constructor(
    private readonly shared: EndpointContext,
    private readonly traits: Traits,
  ) {
    this.#isPerPrincipal = shared.handler.connectionPerPrincipal === true;
  }

  /** Returns the connection for a request; `undefined` where there are too many, or no new one may begin. */
  of(exchange: HttpExchange): StatelessHost | undefined {
    const principal = this.#isPerPrincipal ? exchange.caller?.principal : undefined;
    return this.#open.get(principal) ?? this.#begin(principal, exchange);
  }

  /** Ends those that are idle. Returns in how many ticks to run again, `Infinity` if no connection is left. */
  sweep(): number {
    let due = Infinity;
    for (const host of this.#open.values()) due = Math.min(due, host.sweep());
    return due;
  }

  /** Drains all; no new one begins. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isEnding = true;
    await Promise.allSettled([...this.#open.values()].map(({ served }) => served.drain({ timeoutMs })));
  }

  close(): void {
    this.#isEnding = true;
    for (const host of [...this.#open.values()]) host.connection.end();
  }

  #begin(principal: string | undefined, { holder }: HttpExchange): StatelessHost | undefined {
    if (this.#isEnding) return undefined;
    if (principal !== undefined && this.#open.size >= this.shared.bounds.maxSessions && !this.#makeRoom())
      return undefined;
    const traits = principal === undefined ? this.traits : { ...this.traits, holder, principal };
    const host = new StatelessHost(this.shared, traits, () => this.#open.delete(principal));
    // The connection handler may have closed it at once.
    if (host.connection.isClosed) return undefined;
    this.#open.set(principal, host);
    return host;
  }

  /** Ends the one that has been idle longest. Returns false where each has an open exchange. */
  #makeRoom(): boolean {
    let longest: StatelessHost | undefined;
    for (const host of this.#open.values())
      if (host.idleSince < (longest?.idleSince ?? Infinity)) longest = host;
    longest?.connection.end();
    return longest !== undefined;
  }
}
