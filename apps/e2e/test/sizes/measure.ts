import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { esbuild } from '../../../../vitest.bundle.js';
import { publicPackages } from '../public-packages.js';
import { repository } from '../repository.js';

/** The size in bytes of one bundle. */
export interface Size {
  readonly name: string;
  readonly minified: number;
  readonly gzipped: number;
}

/** A program that users write, and the most bytes that its bundle may have when it is minified and compressed. */
export interface Program {
  readonly name: string;
  readonly code: string;
  readonly platform: 'browser' | 'node';
  /** Whether rxjs is part of the bundle. Without it, the bundle leaves rxjs as an import. */
  readonly withRxjs: boolean;
  readonly limit: number;
}

const client = `export { defineClient } from 'rxmcp';`;
const inBrowser = (name: string, limit: number, code: string): Program => ({
  name: `Browser client over ${name}`,
  code: client + code,
  platform: 'browser',
  withRxjs: true,
  limit,
});

export const programs: readonly Program[] = [
  inBrowser(
    'http, with tools',
    40_150,
    `export { http } from 'rxmcp/http'; export { tools } from 'rxmcp/tools';`,
  ),
  inBrowser('http', 36_350, `export { http } from 'rxmcp/http';`),
  inBrowser('websocket', 33_750, `export { webSocket } from 'rxmcp/websocket';`),
  inBrowser('message-port', 32_700, `export { messagePort } from 'rxmcp/message-port';`),
  inBrowser('any URL', 49_250, `export { transportFor } from 'rxmcp/url';`),
  {
    name: 'Sign-in of a client, rxjs apart',
    code: `export * from 'rxmcp/auth';`,
    platform: 'browser',
    withRxjs: false,
    limit: 15_300,
  },
  {
    name: 'Server over stdio, with tools, rxjs apart',
    code: `
      export { defineServer } from '@rxmcp/core';
      export { serveStdio } from '@rxmcp/stdio';
      export { tool, tools } from '@rxmcp/tools';`,
    platform: 'node',
    withRxjs: false,
    limit: 45_000,
  },
  {
    // The imports that `serve` and `connect` postpone have a bundler wrap what they import, also where neither is used.
    name: 'The same server from rxmcp',
    code: `
      export { defineServer } from 'rxmcp';
      export { serveStdio } from 'rxmcp/stdio';
      export { tool, tools } from 'rxmcp/tools';`,
    platform: 'node',
    withRxjs: false,
    limit: 45_750,
  },
];

/** Bundles these programs from the sources, or from what is published. */
export function measurePrograms(
  measured = programs,
  from: 'sources' | 'dist' = 'sources',
): Promise<readonly Size[]> {
  return Promise.all(
    measured.map(async ({ name, code, platform, withRxjs }) => {
      const stdin = { contents: code, resolveDir: join(repository, 'apps', 'e2e'), sourcefile: 'entry.js' };
      const external = withRxjs ? [] : ['rxjs'];
      const conditions = from === 'dist' ? ['module'] : fromSources;
      const [bundle] = await bundled({ stdin, platform, external, conditions });
      return sizeOf(name, bundle);
    }),
  );
}

/** Bundles every entry point of every public package with all that it imports except its peer dependencies. */
export async function measureEntryPoints(): Promise<readonly Size[]> {
  const entries = publicPackages().flatMap(({ manifest, directory }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
      const file = typeof target === 'string' ? undefined : target['@rxmcp/source'];
      return file === undefined ? [] : [{ name: manifest.name + key.slice(1), file: join(directory, file) }];
    }),
  );
  const external = publicPackages().flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const bundles = await bundled({
    entryPoints: entries.map(({ file }, index) => ({ in: file, out: String(index) })),
    outdir: '/',
    // What runs in a browser has no import that needs this.
    platform: 'node',
    external: [...new Set([...external, 'node:*', ...builtinModules])],
  });
  return entries
    .map(({ name }, index) => sizeOf(name, bundles[index]))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const fromSources = ['@rxmcp/source', 'module'];

async function bundled(options: object): Promise<readonly Uint8Array[]> {
  const { outputFiles } = await esbuild.build({
    conditions: fromSources,
    ...options,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles
    .toSorted((a, b) => Number.parseInt(a.path.slice(1), 10) - Number.parseInt(b.path.slice(1), 10))
    .map(({ contents }) => contents);
}

function sizeOf(name: string, bundle: Uint8Array | undefined): Size {
  if (bundle === undefined) throw new Error(`"${name}" was not bundled`);
  return { name, minified: bundle.length, gzipped: gzipSync(bundle, { level: 9 }).length };
}
