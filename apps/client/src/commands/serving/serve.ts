import { serveDetails, serveOptions } from '@rxmcp/app-server/options';
import { command } from '../../command.js';

export const serveCommand = command({
  words: [{ name: 'DIR', optional: true }],
  options: serveOptions,
  details: `${serveDetails}\nDIR is by default the current folder.`,
  example: 'rxmcp serve notes --http 3000',
  async run({ words, options }, program) {
    const { runServe } = await import('../../serving/serve.js');
    return runServe(options, words, program);
  },
});
