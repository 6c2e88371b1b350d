import { type Context, RxmcpError } from '@rxmcp/core';
import { sendAsk, reportFault, ignoreRejection } from '@rxmcp/core/internal';
import { hidesControls, validateRoot, type Root } from './root.js';

/**
 * Asks the client for its roots while a tool, prompt or resource is served. Each use asks again, at most 64 times per key in one run:
 * keep the list if it is needed twice. All uses of a run may share the default key, since repeats are numbered in order.
 *
 * Returns each valid URI unchanged: check which schemes you support. A `file:` root whose path has control characters
 * is omitted, with the fault ROOT_IGNORED. Rejects with ASK_UNAVAILABLE if the client offers no roots, ASK_REJECTED if its user
 * declines or it answers with another error (`cause`), ASK_SUSPENDED in a run that ends here because a later run gets the answer (do not catch it), INVALID_ANSWER for
 * an invalid list, and with CANCELLED or TIMEOUT otherwise.
 * @see Spec 2026-07-28 client/roots
 */
export function listRoots(ctx: Context, key = 'roots'): Promise<readonly Root[]> {
  return ignoreRejection(ask(ctx, key));
}

async function ask(ctx: Context, key: string): Promise<readonly Root[]> {
  const { roots } = await sendAsk(ctx, key, { method: 'roots/list', needs: { roots: {} } });
  if (!Array.isArray(roots)) throw invalid('"roots" is no array');
  const problem = roots.map(validateRoot).find((found) => found !== undefined);
  if (problem !== undefined) throw invalid(`a root ${problem}`);
  const kept = (roots as readonly Root[]).filter(({ uri }) => !hidesControls(uri));
  if (kept.length < roots.length) reportFault(ctx, { code: 'ROOT_IGNORED', message: ignored(roots, kept) });
  return kept;
}

function invalid(what: string): RxmcpError {
  return new RxmcpError('INVALID_ANSWER', `the client's roots are invalid: ${what}`, { outcome: 'answered' });
}

function ignored(roots: readonly Root[], kept: readonly Root[]): string {
  const first = roots.find(({ uri }) => hidesControls(uri))?.uri ?? '';
  const shown = JSON.stringify(first.slice(0, 200)).replace(/\p{Cc}/gu, encodeURIComponent);
  const count = roots.length - kept.length;
  return `${count} roots of the client are ignored, since their paths have control characters; the first is ${shown}`;
}
