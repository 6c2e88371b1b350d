import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import client from '../../apps/client/tsup.config.js';
import { noteBuilt } from '../../scripts/built.mjs';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const metafile = 'dist/bin/metafile-esm.json';
const program = 'dist/bin/rxmcp.js';

/**
 * What is rarely used, and needs libraries, is imported from the package itself: it would be in the package twice. So is all that the folder
 * `serving` imports: a gateway must share its core with the gateway package.
 */
const fromPackage: Plugin = {
  name: 'from-package',
  setup: (build) =>
    build.onResolve({ filter: /^rxmcp(?:\/|$)/ }, ({ path, importer }) =>
      path !== 'rxmcp/package.json' && (isApart.test(path) || serves.test(importer))
        ? { path, external: true }
        : undefined,
    ),
};

/** The program needs its version and the Node.js that it runs on: the rest would be loaded at each start. */
const shortManifest: Plugin = {
  name: 'short-manifest',
  setup: (build) =>
    build.onLoad({ filter: /[\\/]rxmcp[\\/]package\.json$/ }, ({ path }) => {
      const { version, engines } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      return { contents: JSON.stringify({ version, engines }), loader: 'json' };
    }),
};

/** The files of the apps that serve. */
const serves =
  /[\\/]apps[\\/](?:client[\\/]src[\\/]serving|(?:server|bridge)[\\/]src|serving[\\/]src[\\/](?:check-server|serving)\b)/;

/** The library of json-schema has no licence text, without which it must not be bundled. */
const isApart = /^rxmcp\/(?:auth|websocket|sse|url|stdio\/net|json-schema)(?:\/|$)/;

/**
 * The program `rxmcp` is the client app, bundled: it starts in half the time of one that imports packages, and loads only the command that
 * is called. Nothing imports it, so the package stays free of the app. It is minified, since it repeats what the package depends on. The licences of what it contains are
 * in a file next to it.
 */
export default defineConfig({
  ...client,
  entry: { rxmcp: '../../apps/client/src/main.ts' },
  outDir: 'dist/bin',
  sourcemap: false,
  minify: true,
  metafile: true,
  esbuildPlugins: [fromPackage, shortManifest],
  onSuccess: async () => {
    const outputs = reachable(JSON.parse(readFileSync(metafile, 'utf8')));
    const licenses = thirdPartyLicenses(outputs, process.cwd());
    writeFileSync('dist/bin/THIRD-PARTY-NOTICES', licenses);
    rmSync(metafile);
    noteBuilt(process.cwd());
  },
});

interface Output {
  readonly imports: readonly { readonly path: string }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Removes the files that the program never loads: what `connect` of the package would import, which the program does not call. Returns the
 * sources of the others.
 */
function reachable({ outputs }: { readonly outputs: Readonly<Record<string, Output>> }): {
  inputs: Record<string, unknown>;
} {
  const used = new Set([program]);
  for (const file of used) for (const { path } of outputs[file]?.imports ?? []) used.add(path);
  for (const file of Object.keys(outputs)) if (!used.has(file)) rmSync(file);
  return {
    inputs: Object.assign({}, ...[...used].map((file) => outputs[file]?.inputs)) as Record<string, unknown>,
  };
}
