import { builtinModules } from 'node:module';
import { defineConfig } from 'tsup';
import { noteBuilt } from './scripts/built.mjs';

type Config = ReturnType<typeof defineConfig>;

/**
 * A published package: ESM only, dependencies stay imports, declarations come from `tsc`. The code is not minified and has no
 * source map, which would double its size.
 */
export function library(entry: string[], options: { platform?: 'neutral' | 'node' } = {}): Config {
  return defineConfig({
    entry,
    format: ['esm'],
    dts: false,
    sourcemap: false,
    clean: true,
    onSuccess: async () => noteBuilt(process.cwd()),
    target: 'node20',
    platform: options.platform ?? 'neutral',
    removeNodeProtocol: false,
  });
}

/**
 * An app: one file with everything in it.
 * The neutral platform keeps the `node` condition away, so rxjs arrives as ESM and is tree-shaken.
 */
export function application(entry: string[], options: { external?: RegExp[] } = {}): Config {
  const external = [/^node:/, ...builtinModules, ...(options.external ?? [])];
  return defineConfig({
    entry,
    format: ['esm'],
    dts: false,
    sourcemap: true,
    clean: true,
    onSuccess: async () => noteBuilt(process.cwd()),
    target: 'node20',
    platform: 'neutral',
    removeNodeProtocol: false,
    external,
    noExternal: [allBut(external)],
    // Libraries in CommonJS call `require` for modules of Node, which an ES module must define first.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    esbuildOptions: (esbuild) => {
      esbuild.mainFields = ['module', 'main'];
    },
  });
}

function allBut(patterns: (string | RegExp)[]): RegExp {
  const sources = patterns.map((p) => (typeof p === 'string' ? `^${p}$` : p.source));
  return new RegExp(`^(?!${sources.map((s) => s.replace(/^\^/, '')).join('|')})`);
}
