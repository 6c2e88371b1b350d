import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import client from '../../apps/client/tsup.config.js';
import { noteBuilt } from '../../scripts/built.mjs';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const metafile = 'dist/bin/metafile-esm.json';

/**
 * What serves, and OAuth, is imported from the package itself: neither decides how fast a command starts, and both would be in the package
 * twice. A gateway must share its core with the gateway package, so all imports of the folder `serving` are.
 */
const fromPackage: Plugin = {
  name: 'from-package',
  setup: (build) =>
    build.onResolve({ filter: /^rxmcp(?:\/|$)/ }, ({ path, importer }) =>
      (/[\\/]client[\\/]src[\\/]serving[\\/]/.test(importer) || /^rxmcp\/auth(?:\/|$)/.test(path)) &&
      path !== 'rxmcp/package.json'
        ? { path, external: true }
        : undefined,
    ),
};

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
  esbuildPlugins: [fromPackage],
  onSuccess: async () => {
    const licenses = thirdPartyLicenses(JSON.parse(readFileSync(metafile, 'utf8')), process.cwd());
    writeFileSync('dist/bin/THIRD-PARTY-NOTICES', licenses);
    rmSync(metafile);
    noteBuilt(process.cwd());
  },
});
