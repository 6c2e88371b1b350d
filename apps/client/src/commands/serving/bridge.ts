import { command } from '../../command.js';
import { connectionOptions, connectionSettings, transportOption } from '../../connection/options.js';
import { listenDetails, listenOptions, servingOptions } from '../../serving/listen-options.js';
import { targetOf } from '../../target/resolve.js';

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
    const { maxClientsOf } = await import('@rxmcp/app-bridge/bridge');
    const maxClients = maxClientsOf(options['max-clients']);
    const target = await targetOf(word, connectionSettings(options), program.env);
    const { runBridge } = await import('../../serving/bridge.js');
    return runBridge(target, { ...serving, maxClients }, program);
  },
});
