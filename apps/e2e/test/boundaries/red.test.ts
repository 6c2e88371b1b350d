import { describe, expect, it } from 'vitest';
import { packageOf, type Workspace, type Manifest } from './workspace.js';
import { rules } from './rules.js';

type Sources = readonly (readonly [path: string, text: string])[];
type Violation = readonly [rule: string, workspace: Workspace, sentence: string];

const core = (sources: Sources, manifest: Partial<Manifest> = {}): Workspace => [
  packageOf('packages/core', { name: '@rxmcp/core', ...manifest }, sources),
];
const tools = (sources: Sources, manifest: Partial<Manifest> = {}): Workspace => [
  packageOf('packages/primitives/tools', { name: '@rxmcp/tools', ...manifest }, sources),
];
const kit = (sources: Sources): Workspace => [
  packageOf('packages/transport-tck', { name: '@rxmcp/transport-tck' }, sources),
];
const memory = (sources: Sources, manifest: Partial<Manifest> = {}): Workspace => [
  packageOf('packages/transports/memory', { name: '@rxmcp/memory', ...manifest }, sources),
];
const app = (sources: Sources, manifest: Partial<Manifest> = {}): Workspace => [
  packageOf('apps/server', { name: '@rxmcp/app-server', private: true, ...manifest }, sources),
];
const root = { '.': { '@rxmcp/source': './src/index.ts' } };
const layers = 'imports follow the dependency rule';
const manifests = 'dependencies follow the dependency rule';
const node = 'node: is only reached from stdio and node subpaths';
const births = 'new Observable only in core/src/streams';
const folderLayers = 'folders of a package import what is below them';
const circles = 'imports form no circle';
const roots = 'roots of packages with folders have entries only';

const violations: readonly Violation[] = [
  [
    'every package has a line in the dependency rule',
    [packageOf('packages/new', { name: '@rxmcp/new' }, [])],
    'packages/new has no line',
  ],
  [
    layers,
    tools([['src/a.ts', `import { x } from '@rxmcp/prompts';`]]),
    'packages/primitives/tools/src/a.ts imports "@rxmcp/prompts"',
  ],
  [
    layers,
    tools([['src/a.ts', `export type X = import('@rxmcp/memory').X;`]]),
    'packages/primitives/tools/src/a.ts imports "@rxmcp/memory"',
  ],
  [
    layers,
    tools([['test/a.test.ts', `export * from '@rxmcp/stdio';`]]),
    'packages/primitives/tools/test/a.test.ts imports "@rxmcp/stdio"',
  ],
  [
    layers,
    tools([['src/a.ts', `import { z } from 'zod/mini';`]]),
    'packages/primitives/tools/src/a.ts imports "zod/mini"',
  ],
  [
    layers,
    memory([['src/a.ts', `import type { Server } from '@rxmcp/core';`]]),
    'packages/transports/memory/src/a.ts imports "@rxmcp/core"',
  ],
  [
    layers,
    memory([['src/a.ts', `const rx = await import('rxjs');`]]),
    'packages/transports/memory/src/a.ts imports "rxjs"',
  ],
  [
    layers,
    core([['test/a.test.ts', `import '@rxmcp/testing';`]]),
    'packages/core/test/a.test.ts imports "@rxmcp/testing"',
  ],
  [
    'every import is declared in package.json',
    core([['src/a.ts', `import { of } from 'rxjs';`]], { devDependencies: { rxjs: 'catalog:' } }),
    'packages/core/src/a.ts imports "rxjs"',
  ],
  [
    'relative imports stay inside their package',
    core([['src/peer/a.ts', `import { x } from '../../../jsonrpc/src/ids.js';`]]),
    'packages/core/src/peer/a.ts imports "../../../jsonrpc/src/ids.js"',
  ],
  [
    folderLayers,
    core([['src/eras/legacy/a.ts', `import type { Session } from '../../client/session.js';`]]),
    'packages/core/src/eras/legacy/a.ts imports "../../client/session.js"',
  ],
  [
    folderLayers,
    core([['src/client/a.ts', `export type X = import('../server/server.js').Server;`]]),
    'packages/core/src/client/a.ts imports "../server/server.js"',
  ],
  [
    folderLayers,
    core([['src/base/a.ts', `export { x } from '../index.js';`]]),
    'packages/core/src/base/a.ts imports "../index.js"',
  ],
  [folderLayers, core([['src/helpers/a.ts', '']]), 'packages/core/src/helpers/a.ts is in no layer'],
  [
    folderLayers,
    kit([['src/relay/a.ts', `import type { Fixture } from '../fixture/fixture.js';`]]),
    'packages/transport-tck/src/relay/a.ts imports "../fixture/fixture.js"',
  ],
  [
    circles,
    core([
      ['src/peer/a.ts', `import type { B } from './b.js';`],
      ['src/peer/b.ts', `export { c } from './c.js';`],
      ['src/peer/c.ts', `export const a = await import('./a.js');`],
    ]),
    'packages/core: src/peer/a.ts -> src/peer/b.ts -> src/peer/c.ts -> src/peer/a.ts',
  ],
  [
    circles,
    app([
      ['test/a.ts', `import { b } from './more/b.js';`],
      ['test/more/b.ts', `import type { A } from '../a.js';`],
    ]),
    'apps/server: test/a.ts -> test/more/b.ts -> test/a.ts',
  ],
  [
    roots,
    core(
      [
        ['src/index.ts', ''],
        ['src/internal.ts', ''],
        ['src/node.ts', ''],
        ['src/loose.ts', ''],
        ['src/base/a.ts', ''],
      ],
      { exports: { './node': { '@rxmcp/source': './src/node.ts' } } },
    ),
    'packages/core/src/loose.ts is loose',
  ],
  [
    'relative imports stay inside their package',
    core([['src/a.ts', `import { x } from '../../../vitest.process.js';`]]),
    'packages/core/src/a.ts imports "../../../vitest.process.js"',
  ],
  [
    'internal entries are for siblings, not for apps',
    app([['src/main.ts', `import { x } from '@rxmcp/core/internal';`]]),
    'apps/server/src/main.ts imports "@rxmcp/core/internal"',
  ],
  [
    'internal entries are for siblings, not for apps',
    app([['src/main.ts', `import { x } from '@rxmcp/transport/node/internal';`]]),
    'apps/server/src/main.ts imports "@rxmcp/transport/node/internal"',
  ],
  [
    'every dependency is imported',
    core([['test/a.ts', `import 'rxjs';`]], { dependencies: { rxjs: '^7.5.5' } }),
    'packages/core does not import its dependency "rxjs"',
  ],
  [
    'every dependency is imported',
    core([['src/a.ts', `import 'rxjs';`]], {
      devDependencies: { '@types/ws': 'catalog:', vitest: 'catalog:' },
    }),
    'packages/core does not import its dependency "@types/ws"',
  ],
  [manifests, core([], { dependencies: { ajv: '8.20.0' } }), 'packages/core depends on "ajv"'],
  [
    manifests,
    tools([], { dependencies: { '@rxmcp/memory': 'workspace:*' } }),
    'packages/primitives/tools depends on "@rxmcp/memory"',
  ],
  [
    manifests,
    core([], { devDependencies: { '@rxmcp/testing': 'workspace:*' } }),
    'packages/core depends on "@rxmcp/testing" for its tests',
  ],
  [
    'siblings are exact dependencies',
    tools([], { dependencies: { '@rxmcp/core': 'workspace:^' } }),
    'packages/primitives/tools depends on "@rxmcp/core" as "workspace:^"',
  ],
  [
    'rxjs is the only peer',
    core([], { peerDependencies: { rxjs: '^7.5.5', zod: '^4.0.0' } }),
    'packages/core has the peer "zod" as "^4.0.0"',
  ],
  [
    'rxjs is the only peer',
    core([], { dependencies: { rxjs: '7.8.2' } }),
    'packages/core brings its own "rxjs"',
  ],
  [
    'the project has one version',
    [...core([], { version: '0.1.0' }), ...tools([], { version: '0.2.0' })],
    'packages/primitives/tools is 0.2.0, others are 0.1.0',
  ],
  [
    'no package depends on an app',
    [...app([]), ...core([], { devDependencies: { '@rxmcp/app-server': 'workspace:*' } })],
    'packages/core depends on the app "@rxmcp/app-server"',
  ],
  ['no package depends on an app', app([], { private: false }), 'apps/server is not private'],
  [
    'the graph has no cycle, devDependencies included',
    [
      ...core([], { devDependencies: { '@rxmcp/memory': 'workspace:*' } }),
      ...memory([], { dependencies: { '@rxmcp/core': 'workspace:*' } }),
    ],
    '@rxmcp/core -> @rxmcp/memory -> @rxmcp/core',
  ],
  [
    node,
    core(
      [
        ['src/index.ts', `export * from './deep.js';`],
        ['src/deep.ts', `import { join } from 'node:path';`],
      ],
      { exports: root },
    ),
    'packages/core/src/deep.ts imports "node:path"',
  ],
  [
    node,
    core([['src/lost.ts', `import fs from 'fs';`]], { exports: root }),
    'packages/core/src/lost.ts imports "fs"',
  ],
  [
    node,
    memory(
      [
        ['src/index.ts', `import { open } from '#socket';`],
        ['src/node.ts', `import { open } from './socket.js';`],
        ['src/socket.ts', `import { connect } from 'node:net';`],
      ],
      {
        exports: { ...root, './node': { '@rxmcp/source': './src/node.ts' } },
        imports: { '#socket': { default: { '@rxmcp/source': './src/socket.ts' } } },
      },
    ),
    'packages/transports/memory/src/socket.ts imports "node:net"',
  ],
  [
    'dated version strings of core stay in eras',
    core([['src/peer/a.ts', `if (version === '2025-06-18') stop();`]]),
    'packages/core/src/peer/a.ts mentions "2025-06-18"',
  ],
  [
    births,
    core([['src/client.ts', `new Observable(() => {});`]]),
    'packages/core/src/client.ts says new Observable',
  ],
  [
    births,
    tools([['test/a.test.ts', `new rx.Observable();`]]),
    'packages/primitives/tools/test/a.test.ts says new Observable',
  ],
  [
    'no file is longer than 300 lines',
    core([['src/a.ts', '\n'.repeat(301)]]),
    'packages/core/src/a.ts has 301 lines',
  ],
  [
    'citations of the protocol have one form',
    core([['src/a.ts', `/** Pings (spec 2025-11-25 basic/utilities/ping). */\nexport const a = 1;`]]),
    'packages/core/src/a.ts cites "/** Pings (spec 2025-11-25 basic/utilities/ping). */"',
  ],
];

describe('a rule goes red', () => {
  it.each(violations)('%s', (name, workspace, sentence) => {
    expect(rules[name]?.(workspace)).toEqual([sentence]);
  });

  it('has a violation for every rule', () => {
    expect(new Set(violations.map(([name]) => name))).toEqual(new Set(Object.keys(rules)));
  });
});

describe('a rule stays green', () => {
  it('for loose files of a package without folders', () => {
    expect(
      rules[roots]?.(
        tools([
          ['src/index.ts', ''],
          ['src/use.ts', ''],
        ]),
      ),
    ).toEqual([]);
  });

  it('for a comment that cites a revision', () => {
    const workspace = core([['src/peer/a.ts', `/** @see Spec 2025-06-18 basic */\nexport const a = 1;`]]);
    expect(rules['dated version strings of core stay in eras']?.(workspace)).toEqual([]);
  });

  it('for node: behind a subpath named node', () => {
    const exports = { ...root, './node': { '@rxmcp/source': './src/node.ts' } };
    const workspace = memory([['src/node.ts', `import { createServer } from 'node:http';`]], { exports });
    expect(rules[node]?.(workspace)).toEqual([]);
  });
});
