import { defineConfig } from 'tsup';
import client from '../../apps/client/tsup.config.js';

/** The program `rxmcp` is the client app in one file; nothing imports it, so the package stays free of the app. */
export default defineConfig({
  ...client,
  entry: { rxmcp: '../../apps/client/src/main.ts' },
  outDir: 'dist/bin',
  sourcemap: false,
});
