import { map } from 'rxjs';
import { completion } from 'rxmcp/completion';
import { remoteCommand } from '../connection/remote-command.js';
import { UsageError } from '../usage-error.js';
import { objectOf, stringsOf } from './json-arguments.js';

export const completeCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'prompts' },
    { name: 'ARGS', optional: true },
  ],
  details:
    'Suggests values for the last member of ARGS, as far as it is typed, in a prompt or, where NAME is its text, such as\n' +
    'file:///{path}, in a template. The members before it are sent as context.',
  example: `rxmcp complete greet '{"who": "A"}' -- node server.mjs`,
  run({ remote, words: [name = '', args] }) {
    const known = Object.entries(stringsOf(objectOf(args)));
    const last = known.pop();
    if (last === undefined)
      throw new UsageError('complete needs ARGS, whose last member is completed, such as {"name": "A"}');
    const [argument, typed] = last;
    const options = known.length === 0 ? {} : { arguments: Object.fromEntries(known) };
    const { template, prompt } = completion(remote);
    const suggested = name.includes('{')
      ? template(name, argument, typed, options)
      : prompt(name, argument, typed, options);
    return suggested.pipe(map((value) => ({ value: { completion: value } })));
  },
});
