import { openServing, type ServingOptions } from '@rxmcp/app-serving/serving';
import { type Observable, ReplaySubject, share, Subscription, tap } from 'rxjs';
import { type Client, defineClient, defineServer, reconnect, type Remote } from 'rxmcp';
import { offerRemote, type OfferRemoteOptions, relayAsks } from 'rxmcp/gateway';
import { offerLogging } from 'rxmcp/logging';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import type { Transport } from 'rxmcp/transport';
import type { Program } from '../command.js';
import type { ConnectionSettings } from '../connection/options.js';
import { faultTeller } from '../connection/follow.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { nextStep } from '@rxmcp/app-serving/next-step';
import { type Target, transportTo } from '../target/target.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { serveUntilEnd } from './serve-until-end.js';

/** A server that a gateway offers. */
export interface GatewayServer {
  readonly name: string;
  readonly target: Target;
}

/** How a gateway serves. */
export interface GatewaySettings extends Pick<ConnectionSettings, 'protocol' | 'timeoutMs'> {
  readonly serving: ServingOptions;
  /** Whether the names of tools and prompts begin with that of their server. */
  readonly hasPrefixes: boolean;
}

/** Serves several servers as one. Each is connected from the start, and again after a loss. Resolves with the exit code. */
export async function runGateway(
  servers: readonly GatewayServer[],
  { serving, hasPrefixes, protocol, timeoutMs }: GatewaySettings,
  program: Program,
): Promise<number> {
  const { tell } = program.terminal;
  const client = defineClient({
    info: { name: 'rxmcp-gateway', version: packageJson.version },
    offers: [relayAsks()],
    ...protocol,
    ...(timeoutMs === undefined ? {} : { idleTimeoutMs: timeoutMs }),
  });
  const prefixes = prefixesOf(servers);
  const connections = new Subscription();
  const offers = await Promise.all(
    servers.map(async ({ name, target }, at) => {
      const transport = await transportTo(target, (line) => tell(`${name}: ${line}`), program.env);
      const remote$ = reported(name, client, transport, tell).pipe(
        reconnect(),
        share({ connector: () => new ReplaySubject(1) }),
      );
      // A server that cannot be reached is reported before a client needs it.
      connections.add(remote$.subscribe({ error: () => undefined }));
      const prefix = prefixes[at];
      if (!hasPrefixes || prefix === undefined) return offerRemote(remote$);
      return offerRemote(remote$, { prefix, filter: ownNames(name, prefix, prefixes, tell) });
    }),
  );
  const server = defineServer({
    info: { name: 'rxmcp-gateway', version: packageJson.version },
    offers: [offerLogging(), ...offers.flat()],
  });
  server.faults$.subscribe(({ code, message }) => tell(`fault ${code}: ${message}`));
  return serveUntilEnd(openServing(server, serving), program).finally(() => connections.unsubscribe());
}

/** Connects with a server. Reports each new reason why it is not connected, and its faults. */
function reported(
  name: string,
  client: Client,
  transport: Transport,
  tell: (line: string) => void,
): Observable<Remote> {
  let last = '';
  const onFault = faultTeller((line) => tell(`${name}: ${line}`));
  return client.live(transport, { onFault }).pipe(
    tap({
      next: () => (last = ''),
      error: (error: unknown) => {
        const why = describeError(error);
        if (why !== last) tell(`the server "${name}" is not connected: ${why}${nextStep(why)}`);
        last = why;
      },
    }),
  );
}

/**
 * Leaves out tools and prompts whose names begin as those of another server do: next to a server `github-enterprise`, one with the name `github` could
 * offer `enterprise-delete_repo`.
 */
function ownNames(
  server: string,
  prefix: string,
  prefixes: readonly string[],
  tell: (line: string) => void,
): NonNullable<OfferRemoteOptions['filter']> {
  const own = `${prefix}-`;
  const others = prefixes.filter((other) => other.startsWith(own));
  let isTold = false;
  return (item, kind) => {
    if (kind !== 'tool' && kind !== 'prompt') return true;
    const other = others.find((one) => `${own}${item.name}`.startsWith(`${one}-`));
    if (other !== undefined && !isTold) {
      isTold = true;
      tell(
        `tools and prompts of the server "${server}" whose names begin as those of "${other}" are left out, such as "${item.name}". Give one of the servers another name`,
      );
    }
    return other === undefined;
  };
}

/** The prefix of each server: its name, of the characters that the APIs of models accept. Throws a UsageError for two equal ones. */
function prefixesOf(servers: readonly GatewayServer[]): readonly string[] {
  const prefixes = servers.map(({ name }) => name.replace(/[^\w-]/g, '-').slice(0, 32));
  const twice = servers.find((_, at) => prefixes.indexOf(prefixes[at] ?? '') !== at);
  if (twice !== undefined)
    throw new UsageError(`the server "${twice.name}" has the prefix of another one. Give it another name`);
  return prefixes;
}
