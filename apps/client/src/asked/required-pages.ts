import { catchError, from, mergeMap, type Observable, throwError } from 'rxjs';
import { type RequiredUrlElicitation, RpcError } from 'rxmcp';
import { describeUrl } from 'rxmcp/elicitation';
import type { Terminal } from '../terminal.js';
import { agreed } from './page.js';

/** The person who visits pages, and the server that asks. */
interface Visitor {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** The server, as it calls itself. */
  readonly server: string;
}

/**
 * If a server requires visits to pages first, shows them and retries once when the person has been there. Any other error, a
 * declined page, and a second such error are passed on.
 */
export function afterPages<T>(lines: Observable<T>, visitor: Visitor): Observable<T> {
  return lines.pipe(
    catchError((error: unknown) => {
      const pages = RpcError.is(error) ? (error.elicitations ?? []) : [];
      if (pages.length === 0 || !visitor.terminal.asks) return throwError(() => error);
      const visiting = visitor.terminal.talk(() => visited(pages, visitor));
      return from(visiting).pipe(mergeMap((been) => (been ? lines : throwError(() => error))));
    }),
  );
}

async function visited(
  pages: readonly RequiredUrlElicitation[],
  { terminal, env, signal, server }: Visitor,
): Promise<boolean> {
  for (const { message, url } of pages) {
    const page = describeUrl(url);
    if (page === undefined) return false;
    const { action } = await agreed(terminal, { message, ...page }, server, signal, env);
    if (action !== 'accept') return false;
  }
  const answer = await terminal.ask('go on when you are done there [g], or leave it [l]? ', signal);
  return ['g', 'go on'].includes(answer?.trim().toLowerCase() ?? '');
}
