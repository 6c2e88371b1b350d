/** The async context of a request. */
export interface AsyncScope {
  /** Calls a function in this context. */
  runInAsyncScope<This, Args extends unknown[]>(
    fn: (this: This, ...args: Args) => void,
    thisArg: This,
    ...args: Args
  ): void;
}

interface AsyncHooks {
  readonly AsyncResource: new (type: string) => AsyncScope;
}

let hooks: AsyncHooks | null | undefined;

/**
 * Returns the current async context for work that waits in a queue: the code that takes it from the queue runs in another context, where an
 * `AsyncLocalStorage` of the request has another value. Returns `undefined` on platforms without `node:async_hooks`.
 */
export function captureAsyncScope(): AsyncScope | undefined {
  hooks ??=
    (
      globalThis as { process?: { getBuiltinModule?(id: string): AsyncHooks | undefined } }
    ).process?.getBuiltinModule?.('node:async_hooks') ?? null;
  return hooks === null ? undefined : new hooks.AsyncResource('RxmcpRequest');
}
