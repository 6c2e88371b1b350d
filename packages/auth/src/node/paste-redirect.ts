import { createInterface } from 'node:readline/promises';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { AuthError } from '../client/errors.js';
import type { Redirect } from '../client/options.js';

/** Options of {@link pasteRedirect}. */
export interface PasteRedirectOptions {
  /** Where the browser is sent at the end; nothing needs to listen there. @default 'http://127.0.0.1:8976/callback' */
  readonly redirectUri?: string;
  /** Shows the address to the person. @default writes it to standard error */
  readonly show?: (url: URL) => unknown;
  /** Asks the person for one line; `undefined` ends the sign-in. @default asks on standard error, and reads standard input */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Longest time until the address is pasted, in milliseconds. @default 300_000 */
  readonly timeoutMs?: number;
}

const knownOptions: Record<keyof PasteRedirectOptions, true> = {
  redirectUri: true,
  show: true,
  ask: true,
  timeoutMs: true,
};
const maxTries = 3;

/**
 * Creates a redirect for machines without a browser: the person opens the address with a browser elsewhere, which cannot load the page
 * that it is sent to at the end, and pastes the address of that page.
 */
export function pasteRedirect(options: PasteRedirectOptions = {}): Redirect {
  rejectUnknownOptions('pasteRedirect', options, knownOptions, { url: 'redirectUri' });
  const { show = showOnStandardError, ask = askOnStandardError, timeoutMs = 300_000 } = options;
  const redirectUri = options.redirectUri ?? 'http://127.0.0.1:8976/callback';
  return {
    start: () => ({
      redirectUri,
      async open(url) {
        const limit = new AbortController();
        const late = new AuthError('REDIRECT_FAILED', `no address was pasted within ${timeoutMs} ms`);
        const alarm = setTimeout(() => limit.abort(late), timeoutMs);
        const aborted = new Promise<never>((_, reject) =>
          limit.signal.addEventListener('abort', () => reject(late)),
        );
        try {
          const state = url.searchParams.get('state');
          const asked = async (): Promise<URL> => {
            await show(url);
            return pasted(redirectUri, state, (question) => ask(question, limit.signal));
          };
          return await Promise.race([asked(), aborted]);
        } finally {
          clearTimeout(alarm);
          // Ends what still asks.
          limit.abort();
        }
      },
    }),
  };
}

/** Asks until the address of this sign-in is pasted: it begins as it must, and has its `state`. */
async function pasted(
  redirectUri: string,
  state: string | null,
  ask: (question: string) => Promise<string | undefined>,
): Promise<URL> {
  let problem = '';
  for (let tries = 0; tries < maxTries; tries += 1) {
    const line = await ask(`${problem}the address of the last page, which begins with ${redirectUri}? `);
    if (line === undefined) throw new AuthError('REDIRECT_FAILED', 'no address was pasted');
    const text = line.trim();
    const isItsPage = URL.canParse(text) && text.startsWith(`${redirectUri}?`);
    if (isItsPage && new URL(text).searchParams.get('state') === state) return new URL(text);
    problem = isItsPage
      ? 'that address is of another sign-in: open the address above. '
      : 'that is not the address of the last page. ';
  }
  throw new AuthError(
    'REDIRECT_FAILED',
    `none of ${maxTries} pasted lines is the address that this sign-in led to: it begins with ${redirectUri}, and has the "state" of the address that was shown`,
  );
}

function showOnStandardError({ href }: URL): void {
  process.stderr.write(`Open this address in a browser, and sign in:\n${href}\n`);
}

async function askOnStandardError(question: string, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}
