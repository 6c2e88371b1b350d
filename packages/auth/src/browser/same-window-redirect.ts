import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { AuthError } from '../client/errors.js';
import type { Redirect } from '../client/options.js';
import { isAt } from './popup-redirect.js';

/** Options of {@link sameWindowRedirect}. */
export interface SameWindowRedirectOptions {
  /** The page that the browser comes back to, on the origin of this page. It creates this redirect too. @default this page, without its query */
  readonly redirectUri?: string;
}

/** What the window keeps of the sign-ins to one server. */
interface Kept {
  /** The sign-in that it was left for, until it ends. */
  readonly pending?: {
    readonly state: string;
    readonly memo: string;
    /** Where the window was. */
    readonly from: string;
  };
  /** When it was left, in milliseconds since 1970. */
  readonly leaves: readonly number[];
}

const knownOptions: Record<keyof SameWindowRedirectOptions, true> = { redirectUri: true };
const prefix = 'rxmcp-auth sign-in ';
/** The window is left at most so often in a minute for one server, which could send it back and forth without a person. */
const maxLeaves = 3;
const periodMs = 60_000;

/**
 * Creates a redirect for pages: the window leaves for the authorization server, and the page that it comes back to signs in when it
 * connects. What is needed for that is kept in `sessionStorage`. Create it before a router of the page changes the address.
 * @throws TypeError for a `redirectUri` of another origin
 */
export function sameWindowRedirect(options: SameWindowRedirectOptions = {}): Redirect {
  rejectUnknownOptions('sameWindowRedirect', options, knownOptions, { url: 'redirectUri' });
  const here = new URL(location.href);
  const { href: redirectUri, origin } = new URL(options.redirectUri ?? here.pathname, here);
  if (origin !== here.origin)
    throw new TypeError(
      `sameWindowRedirect(): "redirectUri" ${JSON.stringify(redirectUri)} is not on the origin of this page, ${here.origin}`,
    );
  const answered = ({ pending }: Kept): Kept['pending'] =>
    isAt(here, redirectUri) && stateOf(here) === pending?.state ? pending : undefined;
  return {
    isBack: (name) => answered(keptFor(name)) !== undefined,
    start(name) {
      const kept = keptFor(name);
      const { leaves } = kept;
      const pending = answered(kept);
      if (pending !== undefined) {
        // A reload must not end the same sign-in again.
        keep(name, { leaves });
        history.replaceState(history.state, '', pending.from);
      }
      return {
        redirectUri,
        ...(pending === undefined ? {} : { resumed: { landed: here, memo: pending.memo } }),
        open(url, memo) {
          const recent = leaves.filter((at) => at > Date.now() - periodMs);
          if (recent.length >= maxLeaves)
            throw new AuthError(
              'REDIRECT_FAILED',
              `the page was left ${maxLeaves} times in a minute for this sign-in, and the server still requires another one. Check the scopes that it requires`,
            );
          keep(name, {
            pending: { state: stateOf(url), memo, from: location.href },
            leaves: [...recent, Date.now()],
          });
          location.assign(url.href);
          return new Promise((_, reject) => {
            // The browser may show this page again as it was; the first event of the page itself is another.
            const shown = ({ persisted }: PageTransitionEvent): void => {
              if (!persisted) return;
              removeEventListener('pageshow', shown);
              reject(new AuthError('REDIRECT_FAILED', 'the person came back to the page without signing in'));
            };
            addEventListener('pageshow', shown);
          });
        },
      };
    },
  };
}

const stateOf = (url: URL): string => url.searchParams.get('state') ?? '';

function keptFor(name: string): Kept {
  const text = sessionStorage.getItem(prefix + name);
  return text === null ? { leaves: [] } : (JSON.parse(text) as Kept);
}

function keep(name: string, kept: Kept): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(kept));
}
