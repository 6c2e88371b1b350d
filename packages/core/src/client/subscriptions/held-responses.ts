import { HeldBytes } from '@rxmcp/transport/internal';
import { processMemory } from '@rxmcp/transport';

/**
 * What a remote keeps of the responses of its server, by name: the last list of each method, what was made of it, and the values that are
 * watched. Its reader may keep a list, so the charge lasts until the next one or the end. A gateway that keeps it longer charges again.
 */
export class HeldResponses {
  readonly #byName = new Map<string, HeldBytes>();
  #hasEnded = false;

  /** Replaces the charge of the list before. */
  keep(method: string, held: HeldBytes): void {
    this.#byName.get(method)?.resize(0);
    this.#byName.set(method, held);
    if (this.#hasEnded) this.end();
  }

  /** Charges for what is kept now. Returns false, and keeps the charge before, where the memory does not suffice. */
  hold(name: string, bytes: number, holder: string): boolean {
    if (this.#hasEnded) return true;
    const held = this.#byName.get(name) ?? new HeldBytes(processMemory(), holder);
    if (!held.resize(bytes)) return false;
    if (bytes > 0) this.#byName.set(name, held);
    else this.#byName.delete(name);
    return true;
  }

  /** The remote has ended. */
  end(): void {
    this.#hasEnded = true;
    for (const held of this.#byName.values()) held.resize(0);
    this.#byName.clear();
  }
}
