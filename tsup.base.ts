import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
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
    plugins: [
      { name: 'rxjs-modules', renderChunk: (code) => ({ code: withRxjsModules(code) }) },
      { name: 'pure-constants', renderChunk: (code) => ({ code: withPureConstants(code) }) },
    ],
  });
}

/**
 * Imports each name of rxjs from its own module, which Node.js and bundlers load without the other two hundred. `rxjs` exports
 * the same modules, so classes such as `Observable` stay the same.
 */
function withRxjsModules(code: string): string {
  return code.replace(/^import \{([^}]+)\} from "rxjs";$/gm, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .map((name) => `import { ${name} } from "rxjs/${rxjsModuleOf(name.replace(/ as .*/, ''))}";`)
      .join('\n'),
  );
}

/**
 * Marks what makes the constants of a module as pure, so that a bundler removes those that a program does not use. The files of a
 * package say with `sideEffects: false` that it is; but here many of them are in one.
 */
function withPureConstants(code: string): string {
  return code
    .replace(/^(?:var|let|const) [\w$]+ = (?=new |[A-Z]\w+\.\w+\(|[a-z]\w*\()/gm, '$&/* @__PURE__ */ ')
    .replace(/(?<=[:,([{] )Object\.freeze\(/g, '/* @__PURE__ */ $&');
}

function rxjsModuleOf(name: string): string {
  const main = createRequire(join(process.cwd(), 'package.json')).resolve('rxjs');
  const index = readFileSync(join(main, '..', '..', 'esm', 'index.js'), 'utf8');
  const module = new RegExp(`^export \\{ (?:.*, )?${name}(?:, .*)? \\} from '\\./(.+)';$`, 'm').exec(
    index,
  )?.[1];
  if (module === undefined) throw new Error(`rxjs: no module exports "${name}"`);
  return module;
}

/**
 * An app: one file with everything in it.
 * The neutral platform keeps the `node` condition away, so rxjs arrives as ESM and is tree-shaken. An app that calls `serve` or
 * `connect` sets `shortWay`; in others it would add files that nothing loads.
 */
export function application(
  entry: string[] | Record<string, string>,
  options: { external?: RegExp[]; shortWay?: boolean } = {},
): Config {
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
    esbuildPlugins: options.shortWay === true ? [importsOfNode] : [],
    // Libraries in CommonJS call `require` for modules of Node, which an ES module must define first.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    esbuildOptions: (esbuild) => {
      esbuild.mainFields = ['module', 'main'];
    },
  });
}

/** The neutral platform would choose what browsers have: the `#programs` that start nothing, the `#socket` without headers and the `fetch` that keeps any head. */
const importsOfNode: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'imports-of-node',
  setup: (build) =>
    build.onResolve({ filter: /^#(programs|socket|fetch)$/ }, ({ path, importer }) => ({
      path: importer.replace(
        /^(.*[\\/](?:src|dist)[\\/]).*(\.[jt]s)$/,
        path === '#socket' ? '$1socket/ws$2' : `$1${path.slice(1)}/node$2`,
      ),
    })),
};

function allBut(patterns: (string | RegExp)[]): RegExp {
  const sources = patterns.map((p) => (typeof p === 'string' ? `^${p}$` : p.source));
  return new RegExp(`^(?!${sources.map((s) => s.replace(/^\^/, '')).join('|')})`);
}
