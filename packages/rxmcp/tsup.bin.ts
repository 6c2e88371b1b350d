import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import client from '../../apps/client/tsup.config.js';
import { noteBuilt } from '../../scripts/built.mjs';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs';

// Its library has no licence text, without which it must not be bundled. The package depends on it anyway.
const jsonSchemaOfPackage: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'json-schema-of-package',
  setup: (build) =>
    build.onResolve({ filter: /^rxmcp\/json-schema$/ }, ({ path }) => ({ path, external: true })),
};

const metafile = 'dist/bin/metafile-esm.json';

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
  esbuildPlugins: [jsonSchemaOfPackage],
  onSuccess: async () => {
    const licenses = thirdPartyLicenses(JSON.parse(readFileSync(metafile, 'utf8')), process.cwd());
    writeFileSync('dist/bin/THIRD-PARTY-NOTICES', licenses);
    rmSync(metafile);
    noteBuilt(process.cwd());
  },
});
