import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Esbuild {
  build(
    options: object,
  ): Promise<{ outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[] }>;
}

const root = fileURLToPath(new URL('.', import.meta.url));
const fromTsup = createRequire(createRequire(import.meta.url).resolve('tsup'));
/** The bundler that the packages are built with. */
export const esbuild = fromTsup('esbuild') as Esbuild;
const made = new Map<string, Promise<string>>();

/**
 * Bundles a program and the sources it stands on into one file: processes and workers start it much faster. Resolves with its path.
 * Its `import.meta.url` remains that of the source.
 */
export function bundled({ href }: URL): Promise<string> {
  const before = made.get(href) ?? make(href);
  made.set(href, before);
  return before;
}

async function make(href: string): Promise<string> {
  const source = fileURLToPath(href);
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const path = join(root, 'node_modules/.cache/bundles', `${basename(source, '.ts')}-${hash}.mjs`);
  // Another worker may make or start the same program.
  const outfile = `${path}.${String(process.pid)}`;
  await esbuild.build({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@rxmcp/source', 'module'],
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': JSON.stringify(href) },
    // Libraries in CommonJS call `require` for modules of Node, which an ES module must define first.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(href)});`,
    },
    logLevel: 'silent',
  });
  await rename(outfile, path);
  return path;
}
