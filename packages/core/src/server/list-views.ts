import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { digestOf } from '../base/text-digest.js';
import type { Caller } from '../contract/context.js';
import { PreparedResult } from '../contract/offer.js';
import type { ListName, MethodOffer } from '../contract/offer.js';
import type { Change } from '../eras/served.js';
import { listMethods } from '../interceptors/authorize/requested-item.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import { isPreparedListHandler } from '../offers/list-pages.js';

/** The entries of a list with their digests. The same array until the list changes. */
type Entries = readonly { readonly method: string; readonly entry: JsonObject; readonly digest: number }[];

/**
 * What each caller sees of the lists, if callers see different entries. A caller whose view did not change is not
 * notified, because a notification would reveal that there are hidden entries.
 */
export class ListViews {
  /** The pages and entries of each list when they were last compared. */
  readonly #known = new Map<
    string,
    { readonly pages: readonly PreparedResult[]; readonly entries: Entries }
  >();

  constructor(
    private readonly methods: ReadonlyMap<string, MethodOffer>,
    private readonly guard: Guard,
  ) {}

  /** Returns a listener that forwards only changes that the caller sees. A change that cannot be compared is forwarded. */
  only(
    caller: Caller,
    followed: Iterable<ListName>,
    listener: (change: Change) => void,
  ): (change: Change) => void {
    const seen = new Map<ListName, string | undefined>();
    for (const list of followed) seen.set(list, this.#view(list, caller));
    return (change) => {
      const { list } = change;
      if (list === undefined) return;
      const before = seen.get(list);
      const after = this.#view(list, caller);
      seen.set(list, after);
      if (before === undefined || before !== after) listener(change);
    };
  }

  /** Returns a digest of what a caller sees of a list; undefined if that is not available synchronously. */
  #view(list: ListName, caller: Caller): string | undefined {
    let [a, b] = [0, 0];
    for (const method of methodsOf.get(list) ?? []) {
      const entries = this.#entries(method);
      if (entries === undefined) return undefined;
      for (const { entry, digest } of entries) {
        if (!this.#sees(caller, method, entry)) continue;
        a = Math.imul(a ^ digest, 0x9e3779b1) + 1;
        b = (Math.imul(b, 31) + digest) | 0;
      }
    }
    return `${a} ${b}`;
  }

  // An error of `allow` hides the entry.
  #sees(caller: Caller, method: string, entry: JsonObject): boolean {
    try {
      return this.guard.sees(caller, method, entry);
    } catch {
      return false;
    }
  }

  #entries(method: string): Entries | undefined {
    const handle = this.methods.get(method)?.handle;
    if (handle === undefined) return [];
    if (!isPreparedListHandler(handle)) return undefined;
    const { member } = listMethods.get(method) ?? {};
    const pages = pagesOf(handle);
    if (pages === undefined || member === undefined) return undefined;
    const known = this.#known.get(method);
    if (known?.pages.length === pages.length && pages.every((page, at) => page === known.pages[at]))
      return known.entries;
    const entries = pages.flatMap(({ value }) =>
      (value[member] as readonly unknown[])
        .filter(isObject)
        .map((entry) => ({ method, entry, digest: digestOf(JSON.stringify(entry)) })),
    );
    this.#known.set(method, { pages, entries });
    return entries;
  }
}

// A live offer without its first list returns a promise or throws: its entries are unknown then.
function pagesOf(handle: (params: JsonObject) => unknown): readonly PreparedResult[] | undefined {
  const pages: PreparedResult[] = [];
  try {
    for (let params: JsonObject | undefined = {}; params !== undefined;) {
      const page = handle(params);
      if (page instanceof Promise) page.catch(() => undefined);
      if (!(page instanceof PreparedResult)) return undefined;
      pages.push(page);
      const { nextCursor }: JsonObject = page.value;
      params = typeof nextCursor === 'string' ? { cursor: nextCursor } : undefined;
    }
    return pages;
  } catch {
    return undefined;
  }
}

const methodsOf: ReadonlyMap<ListName, readonly string[]> = new Map<ListName, readonly string[]>([
  ['tools', ['tools/list']],
  ['prompts', ['prompts/list']],
  ['resources', ['resources/list', 'resources/templates/list']],
]);
