import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Options } from 'tsup';
import application from '../../tsup.config.js';

/** The programs, made of the sources. */
export interface Programs {
  readonly server: string;
  readonly client: string;
  /** The client that runs any number of scenarios in one process. */
  readonly host: string;
  remove(): Promise<void>;
}

/** Builds the programs into a folder of their own, so that tests need no build before them. */
export async function makePrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-conformance-'));
  const made = application as Options;
  const source = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  await build({
    ...made,
    config: false,
    silent: true,
    sourcemap: false,
    entry: {
      server: source('../../src/server'),
      client: source('../../src/client'),
      host: source('scenario-host'),
    },
    outExtension: () => ({ js: '.mjs' }),
    outDir: folder,
    esbuildOptions(esbuild, context) {
      made.esbuildOptions?.(esbuild, context);
      esbuild.conditions = ['@rxmcp/source'];
    },
  });
  return {
    server: join(folder, 'server.mjs'),
    client: join(folder, 'client.mjs'),
    host: join(folder, 'host.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
