import { ToolError } from 'rxmcp';
import type * as z from 'zod';

/** Where the responses come from: by default the National Weather Service of the US. */
export interface WeatherSource {
  /** The origin of the service. @default 'https://api.weather.gov' */
  readonly baseUrl?: string;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

/** Gets one response of the service. A failure is a ToolError with the text `failure`; standard error has the cause. */
export type Get = <T>(
  url: string,
  schema: z.ZodType<T>,
  options: { readonly signal: AbortSignal; readonly failure: string },
) => Promise<T>;

const headers = { 'User-Agent': 'weather-app/1.0', Accept: 'application/geo+json' };
/** For one response, with its redirects and its body. */
const timeoutMs = 30_000;
const maxBodyBytes = 2_097_152;
const maxRedirects = 5;

/** Returns the function that gets responses of a service. */
export function getFrom(source: WeatherSource = {}): Get {
  const { baseUrl = 'https://api.weather.gov', fetch = globalThis.fetch } = source;
  const base = new URL(baseUrl);
  return async (url, schema, { signal, failure }) => {
    // Node may collect the signal of `AbortSignal.timeout` while a body is read, which then has no limit.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    try {
      const within = AbortSignal.any([signal, limit.signal]);
      const response = await follow(new URL(url, base), (next) => {
        if (next.origin !== base.origin) throw new Error(`the URL has another origin, ${next.origin}`);
        return fetch(next, { headers, redirect: 'manual', signal: within });
      });
      return checked(schema, await jsonOf(response));
    } catch (error) {
      if (!signal.aborted) console.error(`GET ${JSON.stringify(url)} failed: ${causeOf(error)}`);
      throw new ToolError(failure, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

// `fetch` would follow a redirect to another origin before anything could reject it.
async function follow(url: URL, send: (url: URL) => Promise<Response>): Promise<Response> {
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await send(url);
    const location = response.headers.get('location');
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status < 300 || response.status > 399 || location === null)
      throw new Error(`status ${response.status}`);
    url = new URL(location, url);
  }
  throw new Error(`more than ${maxRedirects} redirects`);
}

async function jsonOf(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  // An error in the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw new Error(`the body has more than ${maxBodyBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    // The message of the parser would quote the body.
    throw new Error('the body is not JSON');
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as T;
  const [issue] = error.issues;
  throw new Error(`the response has another form: ${issue?.path.join('.')}: ${issue?.message}`);
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return `${message}: ${(cause as NodeJS.ErrnoException).code ?? cause.message}`;
}
