import type { OptionSpec } from '@rxmcp/app-serving/options';
import { serveDetails, serveOptions } from './options.js';

const column = 28;

/** What `--help` prints. */
export const help = `usage: main.js [options] [DIR]

${serveDetails}

DIR is by default the repository of this program.

${Object.entries(serveOptions)
  .map(([name, { value = '', help: text, repeats }]: [string, OptionSpec]) => {
    const head = `  --${name} ${value}`.padEnd(column);
    return `${head}${text}${repeats === true ? ' May be repeated.' : ''}`;
  })
  .join('\n')}
${'  --help'.padEnd(column)}Prints this text.

Exit codes: 0 stopped by a signal or the end of input, 1 a port is taken, 2 wrong arguments.`;
