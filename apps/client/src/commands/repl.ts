import { command } from '../command.js';
import { connect } from '../connection/connect.js';
import { followLosses } from '../connection/follow.js';
import { connectionOptions, connectionSettings, transportOption } from '../connection/options.js';
import { runLines } from '../repl/run-lines.js';

export const replCommand = command({
  target: 'one',
  options: { ...transportOption, ...connectionOptions },
  details:
    'Connects once, and runs the commands of lines such as call echo text=hi, without TARGET. At a terminal Tab completes, the\n' +
    'history is kept in ~/.config/rxmcp/history, and Ctrl-C cancels a command. In a pipe the exit code is that of the last command.',
  example: 'rxmcp repl -- node server.mjs',
  async run({ target, options }, program) {
    const remote = await connect(target, connectionSettings(options), program);
    const following = followLosses(remote, program.terminal.tell).subscribe();
    try {
      return await runLines(remote, program);
    } finally {
      following.unsubscribe();
      await remote.close();
    }
  },
});
