import type { JsonObject } from '@rxmcp/jsonrpc';
import { canonicalJson } from '../base/canonical-json.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Context } from './context.js';

/** How often one key, or one method without a key, is asked in one run of a handler. */
const maxRepeats = 64;

/** The key of one ask, unique in its run of the handler. */
export interface AskKey {
  readonly name: string;
  /** True from the second ask with the same key, or with the same method without a key. */
  readonly isRepeat: boolean;
}

/** What identifies an ask: two asks with the same key must have the same. */
export interface AskedParams {
  readonly method: string;
  readonly params?: JsonObject;
}

/**
 * Returns the key of the next ask of a run. The first ask with a key has the key itself. Repeats with the same
 * parameters are numbered in order, such as `size (2)`, and so are asks without a key, such as `roots/list (1)`.
 * @throws TypeError for a key that another ask of this run has, with other parameters
 * @throws RxmcpError `TOO_MANY_ROUNDS` for the 65th ask with one key, or of one method without a key
 */
export function takeAskKey(ctx: Context, key: string | undefined, ask: AskedParams): AskKey {
  // The context is one object per run of a handler, so the numbers begin anew in each run.
  let run = runs.get(ctx);
  if (run === undefined) runs.set(ctx, (run = { uses: new Map(), names: new Set() }));
  const { uses, names } = run;
  const base = key ?? ask.method;
  const id = `${key === undefined ? 'method' : 'key'} ${base}`;
  const use = uses.get(id) ?? { first: ask, count: 0 };
  uses.set(id, use);
  if (key !== undefined && use.first !== ask) checkSame(key, use.first, ask);
  if (use.count >= maxRepeats) throw tooMany(base);
  use.count += 1;
  let name = key === undefined || use.count > 1 ? `${base} (${use.count})` : base;
  // A handler can have a key that looks like a number of another one.
  for (let n = 2; names.has(name); n += 1) name = `${base} (${use.count}.${n})`;
  names.add(name);
  return { name, isRepeat: use.count > 1 };
}

/** Returns key and parameters of an ask whose key may be left out. */
export function askArguments<P extends object>(
  keyOrParams: string | P | undefined,
  params: P | undefined,
): readonly [key: string | undefined, params: P] {
  if (typeof keyOrParams === 'object') return [undefined, keyOrParams];
  // Without parameters the ask fails with a TypeError that names what is missing.
  return [keyOrParams, params ?? ({} as P)];
}

interface Run {
  readonly uses: Map<string, { readonly first: AskedParams; count: number }>;
  readonly names: Set<string>;
}

const runs = new WeakMap<Context, Run>();

function checkSame(key: string, first: AskedParams, second: AskedParams): void {
  const differing = differences(first, second);
  if (differing.length === 0) return;
  throw new TypeError(
    `the key ${quoted(key)} is used twice in one run, for ${described(first)} and for ${described(second)}, ` +
      `which differ in ${differing.join(', ')}. Give each ask its own key`,
  );
}

function differences(first: AskedParams, second: AskedParams): string[] {
  if (first.method !== second.method) return ['their methods'];
  const { params: one = {} } = first;
  const { params: other = {} } = second;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => canonicalJson(one[name]) !== canonicalJson(other[name]))
    .map(quoted);
}

// Of the parameters only the message: prompts of a model are long, and may be secret.
function described({ method, params }: AskedParams): string {
  const message = params?.message;
  return typeof message === 'string' ? `${method} ${quoted(message)}` : method;
}

function tooMany(base: string): RxmcpError {
  return new RxmcpError(
    'TOO_MANY_ROUNDS',
    `${quoted(base)} is asked more than ${maxRepeats} times in one call. End the loop after some attempts`,
  );
}
