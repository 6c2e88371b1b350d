import { from, map, mergeMap } from 'rxjs';
import { prompts } from 'rxmcp/prompts';
import { promptArguments } from '../../call-arguments/prompt-arguments.js';
import { argumentForms, checkWords, stringArguments } from '../../call-arguments/words.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { shownBlock } from '../../output/contents.js';

export const promptCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'prompts' },
    { name: 'ARG', optional: true, repeats: true, suggests: 'arguments' },
  ],
  details: `ARG is ${argumentForms}.\nAll values are strings. At a terminal missing arguments are asked for.`,
  example: 'rxmcp prompt greet who=Ada -- node server.mjs',
  check: ([, ...args]) => checkWords(args),
  run({ remote, words: [name = '', ...words], program }) {
    const { terminal, signal } = program;
    const read = async (): Promise<Readonly<Record<string, string>>> => {
      const given = await stringArguments(words, () => terminal.rest(signal));
      return Object.keys(given).length > 0 || terminal.isInteractive
        ? promptArguments(remote, name, given, program)
        : given;
    };
    return from(read()).pipe(
      mergeMap((given) => prompts(remote).get(name, given)),
      map((value): Line => ({
        value,
        show: (page) =>
          value.messages
            .map(({ role, content }) => `${page.line(`${role}:`, 'bold')}\n${shownBlock(content, page)}`)
            .join('\n'),
      })),
    );
  },
});
