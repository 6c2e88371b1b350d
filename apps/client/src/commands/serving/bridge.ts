import { checkServer } from '@rxmcp/app-serving/check-server';
import { findProgram } from '@rxmcp/app-serving/find-program';
import { command } from '../../command.js';
import { connectionOptions, connectionSettings, transportOption } from '../../connection/options.js';
import { listenDetails, listenOptions, servingOptions } from '../../serving/listen-options.js';
import { serveUntilEnd } from '../../serving/serve-until-end.js';
import { targetOf } from '../../target/resolve.js';
import { transportTo } from '../../target/target.js';

const { config, header, env } = connectionOptions;

export const bridgeCommand = command({
  target: 'one',
  options: {
    ...listenOptions,
    'max-clients': {
      value: 'N',
      help: 'How many clients are served at a time. Default 64 for a command, any number for other servers.',
    },
    ...transportOption,
    config,
    header,
    env,
  },
  details: `Joins clients with a server over other transports. Messages pass unchanged, so the eras of both must fit.\n${listenDetails}`,
  example: 'rxmcp bridge --http 3000 -- node server.mjs',
  async run({ target: word, options }, program) {
    const serving = servingOptions(options, program.env);
    const { maxClientsOf, openBridge } = await import('@rxmcp/app-bridge/bridge');
    const maxClients = maxClientsOf(options['max-clients']);
    const target = await targetOf(word, connectionSettings(options), program.env);
    const { tell } = program.terminal;
    if (target.kind === 'command' && !serving.stdio)
      await findProgram(target.command, { ...program.env, ...target.env }, target.cwd);
    const transport = await transportTo(target, (line) => tell(`server: ${line}`), program.env);
    const opening = openBridge(transport, {
      ...serving,
      maxClients,
      isCommand: target.kind === 'command',
      onFault: ({ code, message }) => tell(`fault ${code}: ${message}`),
    });
    void opening.then(
      ({ urls }) => (urls.length === 0 ? undefined : checkServer(transport, tell, program.signal)),
      () => undefined,
    );
    return serveUntilEnd(opening, program);
  },
});
