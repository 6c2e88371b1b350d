import { filter, finalize, from, map, mergeMap, type Observable, tap } from 'rxjs';
import type { CallEvent } from 'rxmcp';
import { type ToolResult, tools } from 'rxmcp/tools';
import { toolArguments } from '../../call-arguments/tool-arguments.js';
import { argumentForms, checkWords } from '../../call-arguments/words.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { shownResult } from '../../output/contents.js';

export const callCommand = remoteCommand({
  words: [
    { name: 'NAME', suggests: 'tools' },
    { name: 'ARG', optional: true, repeats: true, suggests: 'arguments' },
  ],
  details:
    `ARG is ${argumentForms}.\n` +
    'A VALUE gets the type that the schema of the tool has for it. At a terminal missing arguments are asked for.',
  example: 'rxmcp call echo text=hello -- node server.mjs',
  check: ([, ...args]) => checkWords(args),
  run({ remote, words: [name = '', ...words], program }) {
    const args = toolArguments(remote, name, words, program);
    return from(args).pipe(
      mergeMap((given): Observable<CallEvent<ToolResult>> => tools(remote).events(name, given)),
      tap((event) => {
        if (event.type === 'progress') program.terminal.progress('call', name, event);
      }),
      filter((event) => event.type === 'result'),
      tap(() => program.terminal.endProgress('call')),
      map(({ result }): Line => ({
        value: result,
        failed: result.isError === true,
        show: (page) => shownResult(result, page),
      })),
      finalize(() => program.terminal.endProgress('call')),
    );
  },
});
