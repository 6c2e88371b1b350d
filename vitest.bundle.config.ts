/** How {@link bundled} makes a program for tests: everything inside, from the sources. */
export default {
  format: ['esm'],
  outExtension: () => ({ js: '.mjs' }),
  platform: 'node',
  target: 'node20',
  noExternal: [/./],
  removeNodeProtocol: false,
  silent: true,
  esbuildOptions: (esbuild: { conditions?: string[]; mainFields?: string[] }) => {
    esbuild.conditions = ['@rxmcp/source', 'module'];
    esbuild.mainFields = ['module', 'main'];
  },
};
