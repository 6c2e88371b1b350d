import type { Remote } from 'rxmcp';
import { command, type Program } from '../command.js';
import { splitLine } from '../completion/split-line.js';
import { suggest } from '../completion/suggest.js';
import { connect } from '../connection/connect.js';
import { connectionOptions, type ConnectionOptionValues, connectionSettings } from '../connection/options.js';
import { exits } from '../failure.js';
import { readArguments } from '../arguments.js';
import { findServers } from '../target/config/server-named.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** The scripts of shells: each passes the line and the place of the cursor, and shows the lines that come back. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_rxmcp() {
  local IFS=$'\\n'
  COMPREPLY=($(RXMCP_LINE="$COMP_LINE" RXMCP_POINT="$COMP_POINT" RXMCP_BREAKS="$COMP_WORDBREAKS" rxmcp completion words 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace
}
complete -o default -F _rxmcp rxmcp`,
  zsh: `#compdef rxmcp
_rxmcp() {
  local -a found open
  found=("\${(@f)$(RXMCP_LINE="$BUFFER" RXMCP_POINT="$CURSOR" rxmcp completion words 2>/dev/null)}")
  open=(\${(M)found:#*[=/]})
  compadd -S '' -a open
  found=(\${found:#*[=/]})
  if [[ -n "\${found[1]}" ]]; then compadd -a found; elif [[ -z "\${open[1]}" ]]; then _files; fi
}
# The first completion loads this file as the function itself.
if [[ \${funcstack[1]} == _rxmcp ]]; then _rxmcp; else compdef _rxmcp rxmcp; fi`,
  fish: `function __rxmcp_words
  RXMCP_LINE=(commandline) RXMCP_POINT=(commandline -C) rxmcp completion words 2>/dev/null
end
complete -c rxmcp -a '(__rxmcp_words)'`,
};

const shells = Object.keys(scripts);

/** How long a server may take to connect, in milliseconds: a person waits for each suggestion. */
const timeoutMs = 3_000;

export const completionCommand = command({
  words: [{ name: shells.join('|') }],
  options: { config: connectionOptions.config },
  details:
    `Prints a script that completes commands, options, names of servers, tools and prompts, URIs, and\n` +
    'arguments with their values. Where the line names a server, after the cursor too, that server is asked, and started for it; fish\n' +
    'shows only what is before the cursor.\n' +
    'zsh: rxmcp completion zsh > _rxmcp in a folder of $fpath. fish: > ~/.config/fish/completions/rxmcp.fish.',
  example: 'rxmcp completion bash > ~/.local/share/bash-completion/completions/rxmcp',
  async run({ words: [shell = ''] }, program) {
    if (shell === 'words') return printWords(program);
    const script = scripts[shell];
    if (!shells.includes(shell) || script === undefined)
      throw new UsageError(`the shell ${JSON.stringify(shell)} must be one of ${shells.join(', ')}`);
    program.output.raw(`${script}\n`);
    return exits.good;
  },
});

/** Prints what fits at the cursor, one word a line. Says nothing of failures: the person is typing. */
async function printWords(program: Program): Promise<number> {
  const {
    RXMCP_LINE: line = '',
    RXMCP_POINT: point = String(line.length),
    RXMCP_BREAKS: breaks,
  } = program.env;
  const head = splitLine(line.slice(0, Number(point)));
  const rest = splitLine(line.slice(Number(point))).words;
  const before = head.endsInWord ? head.words.slice(0, -1) : head.words;
  const typed = head.endsInWord ? (head.words.at(-1) ?? '') : '';
  // The cursor may stand in the middle of a word.
  const after = /^\S/.test(line.slice(Number(point))) ? rest.slice(1) : rest;
  // The line may begin with variables or other commands.
  const start = before.findLastIndex((word) => /(?:^|[\\/])rxmcp$/.test(word)) + 1;
  const words = [...before.slice(start), typed, ...after];
  let remote: Remote | undefined;
  try {
    const found = await suggest(words, before.length - start, {
      commands: program.commands,
      signal: program.signal,
      servers: async () => (await findServers(undefined, program.env)).entries.map(({ name }) => name),
      async remote(target, wanted) {
        if (target === undefined) return undefined;
        const split = words.indexOf('--');
        const own = words
          .slice(1, split === -1 ? undefined : split)
          .filter((_, at) => at !== before.length - start - 1);
        const { options } = readArguments(
          words[0] ?? '',
          { ...wanted, words: anyWords, target: 'optional' },
          own,
        );
        const settings = connectionSettings(options as ConnectionOptionValues);
        return (remote = await connect(
          target,
          { ...settings, timeoutMs: settings.timeoutMs ?? timeoutMs, showsLog: false },
          program,
        ));
      },
    });
    for (const word of breaks === undefined ? found : inBash(found, typed, breaks, head.isOpen))
      program.output.raw(`${word}\n`);
  } catch {
    return exits.answered;
  } finally {
    await remote?.close();
  }
  return exits.good;
}

const anyWords = [{ name: 'WORD', optional: true, repeats: true }] as const;

/**
 * Bash replaces only what follows the last of its break characters, such as the colon of a URI, and takes words as they are: a value of a
 * server must not become a command. Other shells quote words.
 */
function inBash(
  words: readonly string[],
  typed: string,
  breaks: string,
  isInQuotes: boolean,
): readonly string[] {
  if (isInQuotes) return words.filter((word) => !/["'\\`$!]/.test(word));
  const last = [...typed].findLastIndex((character) => breaks.includes(character));
  return words.map((word) =>
    [...word]
      .slice(last + 1)
      .join('')
      .replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&'),
  );
}
