import { filter, map, tap } from 'rxjs';
import { tools } from 'rxmcp/tools';
import { remoteCommand } from '../connection/remote-command.js';
import { objectOf } from './json-arguments.js';

export const callCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'tools' },
    { name: 'ARGS', optional: true, suggests: 'arguments' },
  ],
  details: 'ARGS is one JSON object, by default {}.',
  example: `rxmcp call echo '{"text": "hello"}' -- node server.mjs`,
  check: ([, args]) => void objectOf(args),
  run({ remote, words: [name = '', args], program }) {
    return tools(remote)
      .events(name, objectOf(args))
      .pipe(
        tap((event) => {
          if (event.type === 'progress') program.terminal.tell(shownProgress(event));
        }),
        filter((event) => event.type === 'result'),
        map(({ result }) => ({ value: result, failed: result.isError === true })),
      );
  },
});

function shownProgress(event: { progress: number; total?: number; message?: string }): string {
  const { progress, total, message } = event;
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? `progress: ${done}` : `progress: ${done}, ${message}`;
}
