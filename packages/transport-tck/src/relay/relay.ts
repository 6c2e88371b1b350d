import type { Disturbance, RelayEnd, Towards } from './disturbance.js';
import { RelayFlow, type RelayState } from './relay-flow.js';

/** Options of {@link Relay}. */
export interface RelayOptions {
  /** Whether a chunk has any length, as in a stream, or is one frame. @default 'bytes' */
  readonly wire?: 'bytes' | 'frames';
  /**
   * Adds to the bytes of a message what frames them: a line feed, a length. With it the relay makes the `injectFrame` hook of
   * the fixture.
   */
  readonly frame?: (content: Uint8Array, towards: Towards) => Uint8Array;
}

/** One connection that passes through a relay: what arrives from one side goes in the flow towards the other one. */
export interface RelayedConnection {
  readonly towardsServed: RelayFlow;
  readonly towardsDialled: RelayFlow;
}

/**
 * Lies between both sides of a fixture and disturbs what passes. Return it from `serve` as `relay`: the kit then runs the
 * rules of the group `relay`, and needs no `cut` and, with `frame`, no `injectFrame` hook. `relayTo` of
 * `@rxmcp/transport-tck/node` is one for TCP.
 */
export class Relay {
  readonly wire: 'bytes' | 'frames';
  readonly frame: RelayOptions['frame'];
  readonly #state: RelayState;
  #newest: RelayedConnection | undefined;

  constructor({ wire = 'bytes', frame }: RelayOptions = {}) {
    this.wire = wire;
    this.frame = frame;
    this.#state = { disturbance: undefined, wire, changed: new Set() };
  }

  /** The handles that the relay keeps open, by the names of `process.getActiveResourcesInfo()`. The rules about leaks do not count them. */
  get handles(): readonly string[] {
    return [];
  }

  /** Puts the relay between both sides of a new connection. */
  join(served: RelayEnd, dialled: RelayEnd): RelayedConnection {
    const cut = (): void => {
      served.cut();
      dialled.cut();
    };
    const connection = {
      towardsServed: new RelayFlow('served', served, this.#state, cut),
      towardsDialled: new RelayFlow('dialled', dialled, this.#state, cut),
    };
    this.#newest = connection;
    return connection;
  }

  /** Disturbs what passes from now on, or nothing any more. */
  disturb(disturbance?: Disturbance): void {
    this.#state.disturbance = disturbance;
    for (const go of [...this.#state.changed]) go();
  }

  /** Whether the dialling side has ended the newest connection, or none was made. */
  get hasDialledEnded(): boolean {
    return this.#newest?.towardsServed.hasEnded ?? true;
  }

  /** Sends bytes on the newest connection, as if the other side had sent them. */
  inject(towards: Towards, bytes: Uint8Array): void {
    const flow = towards === 'served' ? this.#newest?.towardsServed : this.#newest?.towardsDialled;
    void flow?.pass(bytes);
  }

  /** Breaks the newest connection on both sides. */
  cut(): void {
    this.#newest?.towardsServed.cut();
  }
}
