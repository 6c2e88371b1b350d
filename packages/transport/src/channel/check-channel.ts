import type { Channel } from './channel-contract.js';

/** Returns a channel. Throws a TypeError that names the missing methods, for authors who write plain JavaScript. */
export function checkChannel<Form>(channel: Channel<Form>): Channel<Form> {
  const given = channel as Partial<Channel<Form>> | undefined;
  const missing = (['start', 'send', 'close'] as const).filter((part) => typeof given?.[part] !== 'function');
  if (missing.length === 0) return channel;
  const names = missing.map((part) => `"${part}"`).join(', ');
  throw new TypeError(`a channel needs "start", "send" and "close"; this one lacks ${names}`);
}

/** Returns whether a channel has returned a promise. Sockets and ports return whatever their own `send` returns, such as a boolean. */
export function isPromise(taken: Promise<void> | void): taken is Promise<void> {
  return typeof (taken as Promise<void> | undefined)?.then === 'function';
}
