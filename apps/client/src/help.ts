import type { Command, CommandTable, OptionTable } from './command.js';

const targets = `TARGET is a URL (http, https, sse+http, sse+https, ws, wss, tcp, unix), the name of a server in a config file (see rxmcp
servers), or -- and the command that starts a server, with its arguments; no shell reads it.`;

/** The help of the program. */
export function programHelp(commands: CommandTable): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `usage: rxmcp COMMAND [WORDS] TARGET [options]

commands
${lines.join('\n')}

${targets}

rxmcp COMMAND --help shows the options of a command, and an example. rxmcp --version prints the version.
At a terminal results are shown for reading; with --json, or in a pipe, standard output has one JSON value per line.
Everything else goes to standard error.
Exit codes: 0 success, 1 the server answered an error, there is no valid sign-in, or the output could not be written,
2 wrong usage, 3 no connection, or it was lost, 6 a config file is invalid, 7 a call timed out, 8 watch, listen or logs
lost the connection for good, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP. chat also: 4 the model failed, 5 a limit was reached.`;
}

/** The help of one command. */
export function commandHelp(name: string, command: Command): string {
  const { words, target, targetHelp = targets, options, details, example } = command;
  const usage = [
    'usage: rxmcp',
    name,
    ...words.map((word) => {
      const shown = word.repeats === true ? `${word.name}...` : word.name;
      return word.optional === true ? `[${shown}]` : shown;
    }),
    ...(target === 'none' ? [] : [target === 'one' ? 'TARGET' : '[TARGET]']),
    '[options]',
  ].join(' ');
  return [
    usage,
    ...(details === '' ? [] : ['', details]),
    ...(target === 'none' ? [] : ['', targetHelp]),
    '',
    'options',
    ...optionLines(options),
    '',
    'example',
    `  ${example}`,
  ].join('\n');
}

const column = 26;
const lineLength = 110;

function optionLines(options: OptionTable): string[] {
  return Object.entries(options).flatMap(([name, { value, repeats, help }]) => {
    const head = `  --${name}${value === undefined ? '' : ` ${value}`}`;
    const rows = wrapped(`${help}${repeats === true ? ' May be repeated.' : ''}`, lineLength - column);
    if (head.length >= column) return [head, ...rows.map((row) => `${' '.repeat(column)}${row}`)];
    return rows.map((row, at) => `${(at === 0 ? head : '').padEnd(column)}${row}`);
  });
}

/** Breaks a text at spaces. */
function wrapped(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else row = row === '' ? word : `${row} ${word}`;
  }
  return [...rows, row];
}
