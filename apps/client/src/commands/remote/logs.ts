import { ignoreElements, map, merge } from 'rxjs';
import type { LogLevel } from 'rxmcp';
import { logging, logLevels } from 'rxmcp/logging';
import { hasSession } from '../../connection/era.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

export const logsCommand = remoteCommand({
  options: { level: { value: 'LEVEL', help: `The lowest level: ${logLevels.join(', ')}. Default debug.` } },
  details: 'Prints the log records of the server until Ctrl-C.',
  continues: true,
  example: 'rxmcp logs --level warning -- node server.mjs',
  showsLog: false,
  run({ remote, options: { level = 'debug' }, program }) {
    if (!isLevel(level))
      throw new UsageError(`--level ${JSON.stringify(level)} must be one of ${logLevels.join(', ')}`);
    if (!hasSession(remote))
      program.terminal.tell(
        'since 2026-07-28 a server logs only while it handles a request. For its other records pass --protocol legacy',
      );
    const { records$, setLevel } = logging(remote);
    return merge(
      setLevel(level).pipe(ignoreElements()),
      records$.pipe(
        map((record): Line => ({
          value: { type: 'log', ...record },
          show: (page) => {
            const text = typeof record.data === 'string' ? record.data : JSON.stringify(record.data);
            return page.line(
              `${record.level}${record.logger === undefined ? '' : ` ${record.logger}`}: ${text}`,
            );
          },
        })),
      ),
    );
  },
});

const isLevel = (text: string): text is LogLevel => (logLevels as readonly string[]).includes(text);
