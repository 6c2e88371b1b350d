import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { AuthError } from '../client/errors.js';
import type { Redirect } from '../client/options.js';
import { channelOf } from './return-from-popup.js';

/** Options of {@link popupRedirect}. */
export interface PopupRedirectOptions {
  /** The page that the popup comes back to, on the origin of this page; it calls `returnFromPopup()`. Absolute, or relative to this page. */
  readonly redirectUri: string;
  /** The features of the popup, as for `window.open`. @default 'popup,width=480,height=720' */
  readonly features?: string;
  /** Longest time until the popup comes back, in milliseconds. @default 300_000 */
  readonly timeoutMs?: number;
  /**
   * Whether a sign-in fails as soon as its popup is closed. Pass `false` where pages of the authorization server send
   * `Cross-Origin-Opener-Policy`: their windows look closed from the beginning. @default true
   */
  readonly failsWhenClosed?: boolean;
}

/** A redirect that signs in in a popup. */
export interface PopupRedirect extends Redirect {
  /**
   * Opens the popup of the next sign-in. Call it in the handler of a click: browsers block a popup that opens seconds after one, and a
   * sign-in begins with requests.
   */
  prepare(): void;
  /** Closes the popup of `prepare()` if no sign-in has used it. Call it when what the click began has ended. */
  dismiss(): void;
}

const knownOptions: Record<keyof PopupRedirectOptions, true> = {
  redirectUri: true,
  features: true,
  timeoutMs: true,
  failsWhenClosed: true,
};
const pollMs = 250;

/** Creates a redirect for pages: a popup signs in, and this page stays. */
export function popupRedirect(options: PopupRedirectOptions): PopupRedirect {
  rejectUnknownOptions('popupRedirect', options, knownOptions, { url: 'redirectUri' });
  const { features = 'popup,width=480,height=720', timeoutMs = 300_000, failsWhenClosed = true } = options;
  const { href: redirectUri, origin } = new URL(options.redirectUri, location.href);
  if (origin !== location.origin)
    throw new TypeError(
      `popupRedirect(): "redirectUri" ${JSON.stringify(redirectUri)} is not on the origin of this page, ${location.origin}`,
    );
  let prepared: Window | null = null;
  const blank = (): Window | null => {
    const popup = window.open('about:blank', '_blank', features);
    // What the popup shows later must not send this page elsewhere.
    if (popup !== null) (popup as { opener: unknown }).opener = null;
    return popup;
  };
  return {
    prepare() {
      if (prepared === null || prepared.closed) prepared = blank();
    },
    dismiss() {
      prepared?.close();
      prepared = null;
    },
    start() {
      let popup: Window | null = null;
      return {
        redirectUri,
        async open(url) {
          popup = prepared === null || prepared.closed ? blank() : prepared;
          prepared = null;
          if (popup === null)
            throw failed('the browser blocked the popup: call prepare() in the handler of a click');
          const returned = comesBack(popup, redirectUri, url.searchParams.get('state') ?? '', {
            timeoutMs,
            failsWhenClosed,
          });
          popup.location.replace(url.href);
          return returned;
        },
        close() {
          popup?.close();
        },
      };
    },
  };
}

/** Resolves with the address that a popup came back with. Only the response to this sign-in has its `state`. */
function comesBack(
  popup: Window,
  redirectUri: string,
  state: string,
  { timeoutMs, failsWhenClosed }: Required<Pick<PopupRedirectOptions, 'timeoutMs' | 'failsWhenClosed'>>,
): Promise<URL> {
  const channel = new BroadcastChannel(channelOf(state));
  const timers: (ReturnType<typeof setTimeout> | ReturnType<typeof setInterval>)[] = [];
  return new Promise<URL>((resolve, reject) => {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || !URL.canParse(data)) return;
      const landed = new URL(data);
      if (landed.searchParams.get('state') !== state || !isAt(landed, redirectUri)) return;
      channel.postMessage('received');
      resolve(landed);
    };
    timers.push(
      setTimeout(() => reject(failed(`the popup did not come back within ${timeoutMs} ms`)), timeoutMs),
    );
    if (!failsWhenClosed) return;
    const closed = (): void => {
      if (popup.closed) reject(failed('the popup was closed before the sign-in ended'));
    };
    timers.push(setInterval(closed, pollMs));
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer);
    channel.close();
  });
}

/** Whether an address is a page, whatever its query. */
export function isAt({ origin, pathname }: URL, page: string): boolean {
  const at = new URL(page);
  return origin === at.origin && pathname === at.pathname;
}

const failed = (message: string): AuthError => new AuthError('REDIRECT_FAILED', message);
