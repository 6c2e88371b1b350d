import { map } from 'rxjs';
import { prompts } from 'rxmcp/prompts';
import { remoteCommand } from '../connection/remote-command.js';
import { objectOf, stringsOf } from './json-arguments.js';

export const promptCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'prompts' },
    { name: 'ARGS', optional: true, suggests: 'arguments' },
  ],
  details: 'ARGS is one JSON object of strings, by default {}.',
  example: `rxmcp prompt greet '{"who": "Ada"}' -- node server.mjs`,
  check: ([, args]) => void stringsOf(objectOf(args)),
  run: ({ remote, words: [name = '', args] }) =>
    prompts(remote)
      .get(name, stringsOf(objectOf(args)))
      .pipe(map((value) => ({ value }))),
});
