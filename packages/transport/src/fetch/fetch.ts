/** Sends one HTTP request: what the packages of this project use of the Fetch standard. It follows no redirects. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
