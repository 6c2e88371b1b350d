import { serveDetails, serveOptions } from '@rxmcp/app-server/options';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { command } from '../../command.js';
import { exits } from '../../failure.js';
import { serveUntilEnd } from '../../serving/serve-until-end.js';

export const serveCommand = command({
  words: [{ name: 'DIR', optional: true }],
  options: serveOptions,
  details: `${serveDetails}\nDIR is by default the current folder.`,
  example: 'rxmcp serve notes --http 3000',
  async run({ words, options }, program) {
    const { failureOf, serveFolder, version } = await import('@rxmcp/app-server/serve');
    if (options.version === true) {
      program.output.raw(`${version}\n`);
      return exits.good;
    }
    const opening = serveFolder(options, words, program.env).catch((error: unknown) => {
      const { reason, isUsage } = failureOf(error);
      throw isUsage ? new UsageError(reason) : error;
    });
    return serveUntilEnd(opening, program);
  },
});
