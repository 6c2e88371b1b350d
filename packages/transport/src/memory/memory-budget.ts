/** Configures a {@link MemoryBudget}. */
export interface MemoryBudgetOptions {
  /** Bytes that all holders may hold together. */
  readonly maxBytes: number;
  /** The part of `maxBytes` that one holder may hold, above 0 and at most 1. @default 0.5 */
  readonly maxShare?: number;
  /** A budget that is charged as well, such as that of the process. @default none */
  readonly parent?: MemoryBudget;
}

/** What one holder holds. */
export interface MemoryHolding {
  /** The name of the holder: `principal ...`, `address ...`, or another name of a connection. */
  readonly holder: string;
  readonly heldBytes: number;
}

/** The state of a {@link MemoryBudget}. */
export interface MemoryStats {
  readonly heldBytes: number;
  readonly maxBytes: number;
  /** The five holders that hold most, the largest first. */
  readonly largest: readonly MemoryHolding[];
}

/** Returns the name of the holder for a caller: its principal, or the address of an anonymous one. */
export function holderName(principal: string | undefined, address = 'unknown'): string {
  return principal === undefined ? `address ${networkOf(address)}` : `principal ${principal}`;
}

/** Returns the network of 64 bits of an IPv6 address, which one subscriber has for itself (RFC 6177); other addresses as they are. */
function networkOf(address: string): string {
  const [start = ''] = address.split('::');
  // Loopback, IPv4, and IPv4 as IPv6.
  if (start === '' || !address.includes(':')) return address;
  return `${[...start.split(':'), 0, 0, 0].slice(0, 4).join(':')}::/64`;
}

/** At most this is charged for a request of 4,096 characters, in bytes. */
const smallBytes = 128 * 1024;
/** The part of a budget that larger charges leave free, so that the large messages of some do not reject the small ones of others. */
const reservedPart = 1 / 8;

/** Holders that hold nothing are kept up to this number, so that the next charge creates nothing. */
const maxIdle = 1_024;

/**
 * Counts the estimated bytes that peers make this side keep, and limits them in all and for each holder: a principal, an address
 * or a connection. What is charged must be released with the same holder and number of bytes.
 */
export class MemoryBudget {
  readonly maxBytes: number;
  readonly #maxHolderBytes: number;
  readonly #parent: MemoryBudget | undefined;
  readonly #holders = new Map<string, { heldBytes: number }>();
  #held = 0;

  /** @throws TypeError for numbers out of range */
  constructor({ maxBytes, maxShare = 0.5, parent }: MemoryBudgetOptions) {
    if (!(maxBytes > 0)) throw new TypeError('"maxBytes" of a MemoryBudget must be above 0');
    if (!(maxShare > 0 && maxShare <= 1))
      throw new TypeError('"maxShare" of a MemoryBudget must be above 0 and at most 1');
    this.maxBytes = maxBytes;
    this.#maxHolderBytes = maxBytes * maxShare;
    this.#parent = parent;
  }

  /** The bytes that all holders hold together. */
  get heldBytes(): number {
    return this.#held;
  }

  /**
   * Charges a holder. Returns false, and charges nothing, if the limit of all or the share of the holder would be exceeded. A holder
   * that holds nothing may exceed its share, so that one large message always has room. The last eighth of the limit is for charges
   * of at most 128 KiB.
   */
  tryCharge(holder: string, bytes: number): boolean {
    if (this.#held + bytes > this.#limitFor(bytes)) return false;
    let own = this.#holders.get(holder);
    if (own === undefined) this.#holders.set(holder, (own = { heldBytes: 0 }));
    else if (own.heldBytes > 0 && own.heldBytes + bytes > this.#maxHolderBytes) return false;
    if (this.#parent !== undefined && !this.#parent.tryCharge(holder, bytes)) {
      this.#forgetIdle(holder, own);
      return false;
    }
    own.heldBytes += bytes;
    this.#held += bytes;
    return true;
  }

  /** Returns whether a charge would exceed the share of its holder, here or in a parent, and not only the limit of all. */
  exceedsShare(holder: string, bytes: number): boolean {
    const { heldBytes = 0 } = this.#holders.get(holder) ?? {};
    if (heldBytes > 0 && heldBytes + bytes > this.#maxHolderBytes) return true;
    return this.#parent?.exceedsShare(holder, bytes) ?? false;
  }

  /** Releases what was charged. */
  release(holder: string, bytes: number): void {
    const own = this.#holders.get(holder);
    if (own === undefined) return;
    own.heldBytes -= bytes;
    this.#held -= bytes;
    this.#forgetIdle(holder, own);
    this.#parent?.release(holder, bytes);
  }

  /** Returns what is held, and by which holders most. */
  stats(): MemoryStats {
    const largest = [...this.#holders]
      .filter(([, { heldBytes }]) => heldBytes > 0)
      .sort(([, one], [, other]) => other.heldBytes - one.heldBytes)
      .slice(0, 5)
      .map(([holder, { heldBytes }]) => ({ holder, heldBytes }));
    return { heldBytes: this.#held, maxBytes: this.maxBytes, largest };
  }

  #limitFor(bytes: number): number {
    return bytes <= smallBytes || this.#held === 0 ? this.maxBytes : this.maxBytes * (1 - reservedPart);
  }

  #forgetIdle(holder: string, { heldBytes }: { readonly heldBytes: number }): void {
    if (heldBytes === 0 && this.#holders.size > maxIdle) this.#holders.delete(holder);
  }
}

/** The budget where the size of the heap is unknown. */
const unknownHeapBytes = 256 * 1024 * 1024;

let shared: MemoryBudget | undefined;

/** Returns the budget of this process: a quarter of the largest heap, or 256 MiB on platforms that do not report it. */
export function processMemory(): MemoryBudget {
  return (shared ??= new MemoryBudget({ maxBytes: heapLimit() / 4 || unknownHeapBytes }));
}

interface Heap {
  getHeapStatistics(): { readonly heap_size_limit: number };
}

/** Returns the largest size of the heap, in bytes; 0 on platforms that do not report it. */
export function heapLimit(): number {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => Heap | undefined } };
  return process?.getBuiltinModule?.('node:v8')?.getHeapStatistics().heap_size_limit ?? 0;
}
