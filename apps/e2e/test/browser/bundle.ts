import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { repository } from '../repository.js';

interface Failed {
  readonly errors: readonly { readonly text: string; readonly location: { readonly file: string } | null }[];
}

interface Esbuild {
  build(
    options: object,
  ): Promise<{ outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[] }>;
}

const fromTsup = createRequire(createRequire(join(repository, 'package.json')).resolve('tsup'));
/** The bundler that the packages are built with. */
export const esbuild = fromTsup('esbuild') as Esbuild;
const e2e = join(repository, 'apps', 'e2e');

/**
 * Bundles a file of this folder, or one by its whole path, for browsers: from the sources, with nothing that stands in for
 * what they do not have. Rejects with one line for each import that a browser cannot follow.
 */
export function bundle(file: string): Promise<Uint8Array> {
  return built({ entryPoints: [join(e2e, 'test', 'browser', file)] });
}

/** The size of some code with all that it imports, minified and compressed, in bytes. Rejects like {@link bundle}. */
export async function gzipBytes(code: string): Promise<number> {
  const stdin = { contents: code, resolveDir: e2e, sourcefile: 'entry.js' };
  return gzipSync(await built({ stdin, minify: true }), { level: 9 }).length;
}

async function built(input: object): Promise<Uint8Array> {
  try {
    const { outputFiles } = await esbuild.build({
      ...input,
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      conditions: ['@rxmcp/source', 'module'],
      logLevel: 'silent',
    });
    const [file] = outputFiles;
    if (file === undefined) throw new Error('nothing was bundled');
    return file.contents;
  } catch (error) {
    const { errors = [] } = error as Partial<Failed>;
    if (errors.length === 0) throw error;
    const lines = errors.map(({ text, location }) => `${location?.file ?? 'somewhere'}: ${text}`);
    throw new Error(lines.join('\n'), { cause: error });
  }
}
