/** Makes one file of the echo server and the sources it stands on, so that its processes start fast. */
export default {
  format: ['esm'],
  outExtension: () => ({ js: '.mjs' }),
  platform: 'node',
  target: 'node20',
  noExternal: [/./],
  removeNodeProtocol: false,
  silent: true,
  esbuildOptions: (esbuild: { conditions?: string[] }) => {
    esbuild.conditions = ['@rxmcp/source'];
  },
};
