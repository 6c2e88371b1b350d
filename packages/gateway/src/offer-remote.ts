import { offerResolvers } from '@rxmcp/completion/internal';
import type { Offer, Remote } from '@rxmcp/core';
import { getRemoteLink, quoted, rejectUnknownOptions } from '@rxmcp/core/internal';
import { offerPrompts } from '@rxmcp/prompts';
import { offerResources } from '@rxmcp/resources';
import { offerTools } from '@rxmcp/tools';
import type { Observable } from 'rxjs';
import { concat, NEVER, of } from 'rxjs';
import { InnerServer } from './inner-server.js';
import type { OfferRemoteOptions } from './options.js';
import { promptsOf } from './prompts.js';
import { resourcesOf } from './resources.js';
import { toolsOf } from './tools.js';

const knownOptions: Record<keyof OfferRemoteOptions, true> = { prefix: true, filter: true, rename: true };

/**
 * Offers what another server offers: its tools, prompts, resources, templates and completions, live. Requests are passed on with
 * progress, logs and cancellation; schemas, results and errors pass unchanged.
 * @param remote - the other server: what `client.connect(transport)` resolved to, or an Observable of it such as
 * `client.live(transport).pipe(reconnect())`, which is subscribed to while the server has a client
 * @returns the offers for `defineServer({ offers: [...offerRemote(remote)] })`; they merge with other offers
 * @throws TypeError for anything but a remote, an invalid prefix and unknown options
 */
export function offerRemote(
  remote: Remote | Observable<Remote>,
  options: OfferRemoteOptions = {},
): readonly Offer[] {
  rejectUnknownOptions('offerRemote', options, knownOptions, { namespace: 'prefix' });
  const { prefix } = options;
  if (prefix !== undefined && !/^[\w-]{1,32}$/.test(prefix))
    throw new TypeError(
      `offerRemote: the prefix ${quoted(String(prefix))} must be 1 to 32 of the characters A-Z a-z 0-9 _ -`,
    );
  const connected = isObservable(remote) ? undefined : remote;
  // Throws for anything but a remote.
  if (connected !== undefined) getRemoteLink(connected);
  const server = new InnerServer(isObservable(remote) ? remote : concat(of(remote), NEVER), options);
  const has = (capability: string): boolean =>
    connected === undefined || connected.capabilities[capability] !== undefined;
  const prompts = promptsOf(server);
  const resources = resourcesOf(server);
  return [
    ...(has('tools') ? [offerTools(toolsOf(server))] : []),
    ...(has('prompts') ? [offerPrompts(prompts.source)] : []),
    ...(has('resources') ? [offerResources(resources.source)] : []),
    ...(has('completions') ? [offerResolvers([prompts.resolve, resources.resolve])] : []),
  ];
}

function isObservable(value: Remote | Observable<Remote>): value is Observable<Remote> {
  return typeof (value as Partial<Observable<Remote>> | null | undefined)?.subscribe === 'function';
}
