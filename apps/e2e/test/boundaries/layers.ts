import type { Package } from './workspace.js';

/** What a package may depend on: siblings by npm name, and packages from outside the project. */
export interface Allowance {
  readonly siblings: (name: string) => boolean;
  readonly outside: (name: string) => boolean;
}

const proofs = ['@rxmcp/transport-tck', '@rxmcp/memory'];
const runners = ['vitest', 'fast-check'];
const nothing = (): boolean => false;
const oneOf =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

const gatewayParts = ['core', 'tools', 'prompts', 'resources', 'completion'].map((name) => `@rxmcp/${name}`);
/** What the tests of a package import besides the kits. */
const testParts: Readonly<Record<string, readonly string[]>> = {
  'packages/gateway': ['elicitation', 'http', 'logging', 'roots', 'sampling', 'stdio'].map(
    (name) => `@rxmcp/${name}`,
  ),
  'packages/auth': ['@rxmcp/http', '@rxmcp/tools'],
};

/** What the tests of a package take from outside besides the runners. */
const testLibraries: Readonly<Record<string, readonly string[]>> = {
  'packages/auth': ['@modelcontextprotocol/sdk', 'express'],
};

/** The rules of the packages that are neither a transport nor a primitive, by folder. */
const allowances: Readonly<Record<string, Allowance>> = {
  'packages/jsonrpc': { siblings: nothing, outside: nothing },
  'packages/transport': { siblings: oneOf('@rxmcp/jsonrpc'), outside: nothing },
  'packages/transport-tck': { siblings: oneOf('@rxmcp/transport', '@rxmcp/jsonrpc'), outside: nothing },
  'packages/core': { siblings: oneOf('@rxmcp/transport', '@rxmcp/jsonrpc'), outside: oneOf('rxjs') },
  'packages/testing': { siblings: oneOf('@rxmcp/core'), outside: oneOf('rxjs') },
  'packages/gateway': { siblings: oneOf(...gatewayParts), outside: oneOf('rxjs') },
  'packages/auth': {
    siblings: oneOf('@rxmcp/core', '@rxmcp/transport'),
    outside: oneOf('rxjs', 'oauth4webapi', 'jose'),
  },
  'packages/json-schema': { siblings: nothing, outside: (name) => name !== 'zod' && name !== 'ajv' },
  'packages/rxmcp': {
    siblings: (name) => !['@rxmcp/testing', '@rxmcp/transport-tck'].includes(name),
    outside: oneOf('rxjs'),
  },
};

const libraries: Readonly<Record<string, string>> = {
  'packages/transports/websocket': 'ws',
  'packages/transports/sse': 'eventsource',
};

/** The dependency rule for what a package ships; undefined where the rule has no line for its folder. */
export function shipped(pkg: Package): Allowance | undefined {
  const { folder } = pkg;
  if (isApp(pkg)) return { siblings: () => true, outside: () => true };
  if (isTransport(pkg)) {
    return { siblings: oneOf('@rxmcp/transport', '@rxmcp/jsonrpc'), outside: oneOf(libraries[folder] ?? '') };
  }
  if (isPrimitive(pkg)) return { siblings: oneOf('@rxmcp/core'), outside: oneOf('rxjs') };
  return allowances[folder];
}

/** The same for test files, which may use the runners and proof kits as well. */
export function tested(pkg: Package): Allowance | undefined {
  const own = shipped(pkg);
  if (own === undefined) return undefined;
  const extra = [
    ...proofs,
    ...(isPrimitive(pkg) ? ['@rxmcp/testing'] : []),
    ...(testParts[pkg.folder] ?? []),
  ];
  return {
    siblings: (name) => own.siblings(name) || extra.includes(name),
    outside: (name) =>
      own.outside(name) || runners.includes(name) || (testLibraries[pkg.folder] ?? []).includes(name),
  };
}

export function isApp({ folder }: Package): boolean {
  return folder.startsWith('apps/');
}

export function isTransport({ folder }: Package): boolean {
  return folder.startsWith('packages/transports/');
}

export function isPrimitive({ folder }: Package): boolean {
  return folder.startsWith('packages/primitives/');
}

export function isSibling(name: string): boolean {
  return name === 'rxmcp' || name.startsWith('@rxmcp/');
}

/** `@rxmcp/core` of `@rxmcp/core/internal`, `rxjs` of `rxjs/testing`. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
