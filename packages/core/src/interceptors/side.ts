import type { ExchangeFacts, Interceptor } from './interceptor.js';

type Side = ExchangeFacts['side'];

const belongings = new WeakMap<Interceptor, { readonly side: Side; readonly name: string }>();

/** Says that an interceptor has a meaning on one side only, and what it is called there. */
export function onlyAt(side: Side, name: string, interceptor: Interceptor): Interceptor {
  belongings.set(interceptor, { side, name });
  return interceptor;
}

/** Throws a TypeError that names the first interceptor which stands around calls only, among those around what a client answers. */
export function refuseAroundAnswers(member: string, interceptors: readonly Interceptor[] = []): void {
  for (const interceptor of interceptors) {
    const found = belongings.get(interceptor);
    if (found?.side === 'client')
      throw new TypeError(
        `${found.name} among the ${member} of a client does nothing good: it stands around calls`,
      );
  }
}

/** Throws a TypeError that names the first interceptor that belongs to the other side. `member`: where they stand. */
export function refuseMisplaced(side: Side, member: string, interceptors: readonly Interceptor[] = []): void {
  for (const interceptor of interceptors) {
    const found = belongings.get(interceptor);
    if (found === undefined || found.side === side) continue;
    throw new TypeError(
      `${found.name} among the ${member} of a ${side} does nothing good: it belongs to a ${found.side}`,
    );
  }
}
