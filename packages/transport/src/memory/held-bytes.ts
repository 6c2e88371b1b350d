import type { MemoryBudget } from './memory-budget.js';

/** What one holder holds of something that grows, such as a body that arrives. */
export class HeldBytes {
  #charged = 0;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly holder: string,
  ) {}

  /** Changes how many bytes are held. Returns false, and changes nothing, if the budget does not allow more. */
  resize(bytes: number): boolean {
    return this.grow(bytes - this.#charged);
  }

  /** Changes how many bytes are held by a difference, as {@link resize} does. */
  grow(more: number): boolean {
    if (more > 0 && !this.memory.tryCharge(this.holder, more)) return false;
    if (more < 0) this.memory.release(this.holder, -more);
    this.#charged += more;
    return true;
  }
}

let connections = 0;

/** Returns a name under which a connection is charged, which no other connection has. */
export function connectionHolder(): string {
  return `connection ${(connections += 1)}`;
}
