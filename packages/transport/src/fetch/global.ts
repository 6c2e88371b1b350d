import type { Fetch } from './fetch.js';

/** Browsers and other runtimes: the `fetch` of the platform. */
export const defaultFetch: Fetch = (url, init) => globalThis.fetch(url, init);
