import { defineConfig } from 'tsup';
import client from '../../apps/client/tsup.config.js';

/**
 * The program `rxmcp` is the client app in one file, which starts in half the time of one that imports; nothing imports it, so the
 * package stays free of the app. It is minified, since it repeats what the package depends on.
 */
export default defineConfig({
  ...client,
  entry: { rxmcp: '../../apps/client/src/main.ts' },
  outDir: 'dist/bin',
  sourcemap: false,
  minify: true,
});
