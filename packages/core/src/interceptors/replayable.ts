import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../is-object.js';
import type { Intercepted } from './interceptor.js';

/** Methods that change nothing, in every revision. */
const reading: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** What may run twice without harm, as far as it is declared: tools are known from the lists that pass by. */
export class Replayable {
  private readonly tools = new WeakMap<object, Set<string>>();

  readonly has = ({ method, params, owner }: Intercepted): boolean => {
    if (reading.has(method)) return true;
    if (method !== 'tools/call') return false;
    return this.tools.get(owner)?.has(params.name as string) === true;
  };

  /** Remembers the annotations of a list of tools. They are hints; who does not trust the server gives a rule of one's own. */
  learn({ method, params, owner }: Intercepted, result: JsonObject): void {
    if (method !== 'tools/list' || !Array.isArray(result.tools)) return;
    let safe = this.tools.get(owner);
    if (safe === undefined) this.tools.set(owner, (safe = new Set()));
    // The first page begins the list anew.
    if (params.cursor === undefined) safe.clear();
    for (const tool of result.tools as unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      if (isSafe(tool.annotations)) safe.add(tool.name);
      else safe.delete(tool.name);
    }
  }
}

function isSafe(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}
