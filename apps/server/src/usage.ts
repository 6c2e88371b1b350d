import { type ServeOption, serveDetails, serveOptions } from './options.js';

/** How the program is called, in one line. */
export const usage = 'usage: main.js [options] [DIR]';

const column = 28;

/** What `--help` prints. */
export const help = `${usage}

${serveDetails}

DIR is by default the repository of this program.

${Object.entries(serveOptions)
  .map(([name, { value = '', help: text, repeats }]: [string, ServeOption]) => {
    const head = `  --${name} ${value}`.padEnd(column);
    return `${head}${text}${repeats === true ? ' May be repeated.' : ''}`;
  })
  .join('\n')}
${'  --help'.padEnd(column)}Prints this text.

Exit codes: 0 stopped by a signal or the end of input, 1 a port is taken, 2 wrong arguments.`;
