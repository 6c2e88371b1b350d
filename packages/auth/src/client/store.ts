/** Keeps what signing in gave, as texts by their names. Implementations may be asynchronous. */
export interface AuthStore {
  get(key: string): Promise<string | undefined> | string | undefined;
  /** Replaces a text; `undefined` removes it. */
  set(key: string, text: string | undefined): Promise<void> | void;
  /** Runs one action at a time, also over processes that share the store. @default one at a time in this process */
  lock?<T>(key: string, action: () => Promise<T>): Promise<T>;
}

/** Creates a store that is forgotten with the process. */
export function memoryStore(): AuthStore {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key),
    set: (key, text) => void (text === undefined ? texts.delete(key) : texts.set(key, text)),
  };
}

/** Creates a store over that of a browser, such as `sessionStorage`. Every script of the page can read it. */
export function webStore(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): AuthStore {
  const prefix = 'rxmcp-auth ';
  return {
    get: (key) => storage.getItem(prefix + key) ?? undefined,
    set: (key, text) =>
      text === undefined ? storage.removeItem(prefix + key) : storage.setItem(prefix + key, text),
  };
}
