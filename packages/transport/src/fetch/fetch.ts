/** Sends one HTTP request: the part of the Fetch standard that clients use. `globalThis.fetch` is one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
