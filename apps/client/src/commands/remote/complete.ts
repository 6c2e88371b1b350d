import { from, map, mergeMap } from 'rxjs';
import { completion } from 'rxmcp/completion';
import { argumentForms, checkWords, stringArguments } from '../../call-arguments/words.js';
import { remoteCommand } from '../../connection/remote-command.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

export const completeCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'prompts' },
    { name: 'ARG', optional: true, repeats: true },
  ],
  details:
    'Suggests values for the last argument, as far as it is typed, in a prompt or, where NAME is its text, such as\n' +
    `file:///{path}, in a template. The arguments before it are sent as context.\nARG is ${argumentForms}.`,
  example: 'rxmcp complete greet who=A -- node server.mjs',
  check([, ...args]) {
    checkWords(args);
    if (args.length === 0) throw noArgument();
  },
  run({ remote, words: [name = '', ...words], program: { terminal, signal } }) {
    const args = stringArguments(words, () => terminal.rest(signal));
    return from(args).pipe(
      mergeMap((given) => {
        const known = Object.entries(given);
        const last = known.pop();
        if (last === undefined) throw noArgument();
        const [argument, typed] = last;
        const options = known.length === 0 ? {} : { arguments: Object.fromEntries(known) };
        const { template, prompt } = completion(remote);
        return name.includes('{')
          ? template(name, argument, typed, options)
          : prompt(name, argument, typed, options);
      }),
      map((value) => ({ value: { completion: value } })),
    );
  },
});

const noArgument = (): UsageError =>
  new UsageError('complete needs an ARG, whose value is completed as far as it is typed, such as name=A');
