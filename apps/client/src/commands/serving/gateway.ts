import { command } from '../../command.js';
import { connectionOptions, connectionSettings } from '../../connection/options.js';
import { listenDetails, listenOptions, servingOptions } from '../../serving/listen-options.js';
import { entryTarget, isDisabled } from '../../target/config/entry-target.js';
import { findServers } from '../../target/config/server-named.js';
import { targetOf } from '../../target/resolve.js';
import { isUrl } from '../../target/target.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { GatewayServer } from '../../serving/gateway.js';

const { config, protocol, timeout } = connectionOptions;

export const gatewayCommand = command({
  options: {
    ...listenOptions,
    config,
    server: {
      value: 'NAME',
      repeats: true,
      help: 'A server of the config files, or a URL. Default: all of --config.',
    },
    'no-prefix': {
      help: 'Leaves the names of tools and prompts as they are. Of two items with one name, that of the first server is offered.',
    },
    protocol,
    timeout,
  },
  details: `Serves several servers as one, in all eras. The names of tools and prompts begin with the name of their server, as in files-list.\n${listenDetails}`,
  example: 'rxmcp gateway --config mcp.json --http 3000',
  async run({ options }, program) {
    const settings = { ...connectionSettings(options), serving: servingOptions(options, program.env) };
    const servers = await serversOf(options.server, options.config, program.env);
    const { runGateway } = await import('../../serving/gateway.js');
    return runGateway(servers, { ...settings, hasPrefixes: options['no-prefix'] !== true }, program);
  },
});

async function serversOf(
  names: readonly string[] | undefined,
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<readonly GatewayServer[]> {
  if (names !== undefined)
    return Promise.all(
      names.map(async (name) => {
        const settings = { config: file, transport: undefined, headers: {}, env: {} };
        const target = await targetOf(name, settings, env);
        return { name: isUrl(name) && URL.canParse(name) ? new URL(name).hostname : name, target };
      }),
    );
  // All servers of all hosts are more than anyone means.
  if (file === undefined) throw new UsageError('gateway needs --config FILE, or --server NAME');
  const { entries } = await findServers(file, env);
  const used = entries.filter((entry) => !isDisabled(entry));
  if (used.length === 0) throw new UsageError(`${file} has no servers`);
  return used.map((entry) => ({ name: entry.name, target: entryTarget(entry, env) }));
}
