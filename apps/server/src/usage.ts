import { infoOptions, optionLines } from '@rxmcp/app-serving/options';
import { serveDetails, serveOptions } from './options.js';

/** What `--help` prints. */
export const help = `usage: main.js [options] [DIR]

${serveDetails}

DIR is by default the repository of this program.

${optionLines({ ...serveOptions, ...infoOptions })}

Exit codes: 0 stopped by a signal or the end of input, 1 a port is taken, 2 wrong arguments.`;
