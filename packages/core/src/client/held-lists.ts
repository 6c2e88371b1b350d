import type { HeldBytes } from '@rxmcp/transport/internal';

/** What the last list of each method is charged with. Its reader may keep the list, so the charge lasts until the next one or the end. */
export class HeldLists {
  readonly #byMethod = new Map<string, HeldBytes>();
  #hasEnded = false;

  /** Replaces the charge of the list before. */
  keep(method: string, held: HeldBytes): void {
    this.#byMethod.get(method)?.resize(0);
    this.#byMethod.set(method, held);
    if (this.#hasEnded) this.end();
  }

  /** The remote has ended. */
  end(): void {
    this.#hasEnded = true;
    for (const held of this.#byMethod.values()) held.resize(0);
    this.#byMethod.clear();
  }
}
