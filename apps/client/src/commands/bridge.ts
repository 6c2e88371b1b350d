import { command } from '../command.js';
import { connectionOptions, connectionSettings, transportOption } from '../connection/options.js';
import { listenDetails, listenOptions, portsOf } from '../serving/listen-options.js';
import { targetOf } from '../target/resolve.js';
import { UsageError } from '../usage-error.js';

/** Default limit of clients for a command: each client has its own process. */
const maxProcesses = 64;

const { config, header, env } = connectionOptions;

export const bridgeCommand = command({
  target: 'one',
  options: {
    ...listenOptions,
    'max-clients': {
      value: 'N',
      help: `How many clients are served at a time. Default ${maxProcesses} for a command, any number for other servers.`,
    },
    ...transportOption,
    config,
    header,
    env,
  },
  details: `Joins clients with a server over other transports. Messages pass unchanged, so the eras of both must fit.\n${listenDetails}`,
  example: 'rxmcp bridge --http 3000 -- node server.mjs',
  async run({ target: word, options }, program) {
    const ports = portsOf(options);
    const maxClients = clientsOf(options['max-clients']);
    const target = await targetOf(word, connectionSettings(options), program.env);
    const byDefault = target.kind === 'command' ? maxProcesses : Infinity;
    const { runBridge } = await import('../serving/bridge.js');
    return runBridge(target, ports, maxClients ?? byDefault, program);
  },
});

function clientsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--max-clients ${JSON.stringify(text)} must be a number from 1 to 999999`);
}
