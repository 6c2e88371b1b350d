/** Lets a promise fail that an era may have no use for: that is nobody's unhandled rejection. */
export function unheard(promise: PromiseLike<unknown> | undefined): void {
  promise?.then(undefined, () => undefined);
}
