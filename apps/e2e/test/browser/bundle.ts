import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { esbuild } from '../../../../vitest.bundle.js';
import { repository } from '../repository.js';

interface Failed {
  readonly errors: readonly { readonly text: string; readonly location: { readonly file: string } | null }[];
}

const e2e = join(repository, 'apps', 'e2e');

/**
 * Bundles a file of this folder for browsers: from the sources, with nothing that stands in for
 * what they do not have. Rejects with one line for each import that a browser cannot follow.
 */
export async function bundle(file: string): Promise<Uint8Array> {
  const [made] = await bundleAll([join(e2e, 'test', 'browser', file)]);
  return made ?? expect.unreachable();
}

/** The same for several files at once, which are given by their whole paths. */
export function bundleAll(files: readonly string[]): Promise<readonly Uint8Array[]> {
  const entryPoints = files.map((file, index) => ({ in: file, out: String(index) }));
  return built({ entryPoints, outdir: '/' });
}

/** The size of some code with all that it imports, minified and compressed, in bytes. Rejects like {@link bundle}. */
export async function gzipBytes(code: string): Promise<number> {
  const stdin = { contents: code, resolveDir: e2e, sourcefile: 'entry.js' };
  const [made] = await built({ stdin, minify: true });
  return gzipSync(made ?? expect.unreachable(), { level: 9 }).length;
}

async function built(input: object): Promise<readonly Uint8Array[]> {
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
    return outputFiles.map(({ contents }) => contents);
  } catch (error) {
    const { errors = [] } = error as Partial<Failed>;
    if (errors.length === 0) throw error;
    const lines = errors.map(({ text, location }) => `${location?.file ?? 'somewhere'}: ${text}`);
    throw new Error(lines.join('\n'), { cause: error });
  }
}
