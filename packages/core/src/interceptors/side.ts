import type { ExchangeFacts, Interceptor } from './interceptor.js';

type Side = ExchangeFacts['side'];

const belongings = new WeakMap<Interceptor, { readonly side: Side; readonly name: string }>();
const around: Readonly<Record<Side, string>> = {
  client: 'the calls of a client',
  server: 'the requests of a server',
};

/** Says that an interceptor has a meaning on one side only, and what it is called there. */
export function onlyAt(side: Side, name: string, interceptor: Interceptor): Interceptor {
  belongings.set(interceptor, { side, name });
  return interceptor;
}

/** Throws a TypeError that names the first interceptor which has a meaning on that side only. `where`: among what it stands. */
export function refuseThoseOf(side: Side, where: string, interceptors: readonly Interceptor[] = []): void {
  for (const interceptor of interceptors) {
    const found = belongings.get(interceptor);
    if (found?.side !== side) continue;
    throw new TypeError(`${found.name} does not belong among ${where}: it stands around ${around[side]}`);
  }
}
