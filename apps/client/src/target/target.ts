import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import { atUrl } from './at-url.js';
import type { HeaderSet } from './headers.js';
import { saidOnce } from './said-once.js';

/** Where a server is. */
export type Target =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly kind: 'url'; readonly url: string; readonly headers: HeaderSet };

/** Tells a url from the name of a server. */
export function isUrl(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/**
 * The transport to a server; what one that is started writes to its stderr is told line by line, once where it is started
 * again. Throws a UsageError for a url that leads nowhere.
 */
export function transportTo(target: Target, said: (line: string) => void): Transport {
  if (target.kind === 'url') return atUrl(target.url, target.headers);
  const { kind: _kind, ...launch } = target;
  const once = saidOnce(said);
  const transport = stdio({ ...launch, stderr: once.take });
  return {
    ...transport,
    dial(options) {
      once.again();
      return transport.dial(options);
    },
  };
}
