import { authorize, type Interceptor, type ItemKind } from '@rxmcp/core/interceptors';
import { prefixSpellings, rejectUnknownOptions, spellings } from '@rxmcp/core/internal';
import { nearestName } from '@rxmcp/transport/internal';

/** The scopes that items need, by name. A name that ends with `*` is that of all items whose names begin so. */
export type ScopesByName = Readonly<Record<string, readonly string[]>>;

/** The scopes that {@link requireScopes} requires. An item that several names cover needs the scopes of all of them. */
export interface ScopeRules {
  /** By the name of the tool. @default none */
  readonly tools?: ScopesByName;
  /** By the name of the prompt. @default none */
  readonly prompts?: ScopesByName;
  /**
   * By the URI of the resource, in any spelling. A template is covered where its text begins as a name with `*` says, such as
   * `note://*` for `note://{id}`. @default none
   */
  readonly resources?: ScopesByName;
  /**
   * By the method that a request calls, such as `tools/call`. Not those of the connection itself, such as `server/discover`, nor
   * watches, which need the scopes of their resource. @default none
   */
  readonly methods?: ScopesByName;
}

const knownRules: Record<keyof ScopeRules, true> = {
  tools: true,
  prompts: true,
  resources: true,
  methods: true,
};

/** The methods of the specification that interceptors see. */
const seen = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
];
/** What begins as a method of the specification does, or is no name of a method of an application: those have a namespace. */
const reserved =
  /^(?:[^/.]*$|(?:tools|prompts|resources|completion|server|subscriptions|logging|roots|sampling|elicitation|notifications)\/)/;

/**
 * Creates an interceptor of a server that requires scopes of the caller. Lists show what the caller may use. Another use
 * fails with -31005, over Streamable HTTP with 403 and all scopes that the request needs, so that a client signs in for them. A caller without
 * scopes, such as that of stdio, may use what needs none.
 * MCP 2026-07-28, basic, authorization, scope challenge handling.
 * @throws TypeError for rules that are not lists of scopes, and for those that would protect nothing: templates, a
 * `*` before the end, and methods that are unknown or of the connection itself
 */
export function requireScopes(rules: ScopeRules): Interceptor {
  rejectUnknownOptions('requireScopes', rules, knownRules, { templates: 'resources' });
  const resources = matcher('resources', rules.resources);
  const needed: Record<ItemKind | 'method', (item: string) => readonly string[]> = {
    tool: matcher('tools', rules.tools),
    prompt: matcher('prompts', rules.prompts),
    resource: resources,
    template: resources,
    method: matcher('methods', rules.methods),
  };
  return authorize({ scopesFor: (kind, name) => needed[kind](name) });
}

function matcher(kind: string, rules: ScopesByName = {}): (item: string) => readonly string[] {
  const exact = new Map<string, readonly string[]>();
  const prefixes: (readonly [prefix: string, scopes: readonly string[]])[] = [];
  for (const [name, scopes] of Object.entries(rules)) {
    if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string'))
      throw new TypeError(`requireScopes: the scopes of "${name}" in "${kind}" must be a list of strings`);
    const isUri = kind === 'resources';
    // Reads have the URI and not the template, and would need no scopes.
    if (isUri && name.includes('{'))
      throw new TypeError(
        `requireScopes: "${name}" in "resources" is a template, whose resources it would not protect. Write "${name.slice(0, name.indexOf('{'))}*"`,
      );
    if (name.slice(0, -1).includes('*'))
      throw new TypeError(
        `requireScopes: "${name}" in "${kind}" has a "*" before its end, which stands for nothing. Write "${name.slice(0, name.indexOf('*'))}*"`,
      );
    if (kind === 'methods') requireMethod(name);
    if (name.endsWith('*')) {
      const prefix = name.slice(0, -1);
      for (const one of isUri ? prefixSpellings(prefix) : [prefix]) prefixes.push([one, scopes]);
    } else {
      for (const one of isUri ? spellings(name) : [name])
        exact.set(one, [...(exact.get(one) ?? []), ...scopes]);
    }
  }
  return (item) => [
    ...(exact.get(item) ?? []),
    ...prefixes.flatMap(([prefix, scopes]) => (item.startsWith(prefix) ? scopes : [])),
  ];
}

function requireMethod(name: string): void {
  if (isSeen(name)) return;
  const near = nearestMethod(name);
  if (near === undefined && !reserved.test(name)) return;
  const hint =
    near === undefined
      ? `. Name a method of an application, or one of ${seen.join(', ')}`
      : `, did you mean "${near}"?`;
  throw new TypeError(`requireScopes: "${name}" in "methods" would protect nothing${hint}`);
}

function isSeen(name: string): boolean {
  return name.endsWith('*') ? seen.some((one) => one.startsWith(name.slice(0, -1))) : seen.includes(name);
}

/** Returns what a name misspells: a method of the specification, or the part before its slash. */
function nearestMethod(name: string): string | undefined {
  const [part = '', ...rest] = name.split('/');
  const other = nearestName(
    part,
    seen.map((one) => one.slice(0, one.indexOf('/'))),
  );
  const method = nearestName(name, seen);
  if (method !== undefined || other === undefined || other === part) return method;
  const corrected = [other, ...rest].join('/');
  return isSeen(corrected) ? corrected : `${other}/*`;
}
