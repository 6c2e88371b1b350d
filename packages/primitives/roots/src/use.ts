import type { Context } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { askOf, mayBeLeft } from '@rxmcp/core/internal';
import { rootProblem } from './root-uri.js';
import type { Root } from './types.js';

/**
 * Asks the client for its roots while a tool, prompt or resource is served; one wire ask per key and run.
 *
 * Any valid uri is handed over as it came: check what you can work with. Rejects with ASK_UNAVAILABLE where the client
 * offers none, ASK_SUSPENDED in a run that ends here because a later one gets the answer (let it pass), ANSWER_INVALID for
 * a broken list, and CANCELLED, TIMEOUT or RpcError otherwise.
 * Spec 2026-07-28 client/roots.
 */
export function listRoots(ctx: Context, key = 'roots'): Promise<readonly Root[]> {
  return mayBeLeft(ask(ctx, key));
}

async function ask(ctx: Context, key: string): Promise<readonly Root[]> {
  const { roots } = await askOf(ctx, key, { method: 'roots/list', needs: { roots: {} } });
  if (!Array.isArray(roots)) throw invalid('"roots" is no array');
  const problem = roots.map(rootProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw invalid(`a root ${problem}`);
  return roots as readonly Root[];
}

function invalid(what: string): McpError {
  return new McpError('ANSWER_INVALID', `the client's roots are invalid: ${what}`, { outcome: 'answered' });
}
