import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { isObject } from '../../base/checks.js';
import { RxmcpError } from '../../base/errors.js';
import type { DialledConnection, Greeting } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { OwnMethod, EraConnection } from '../served.js';
import { noCommonVersion } from '../versions.js';
import { outgoing } from './codec.js';
import { requestOptions } from './header-checks.js';

/**
 * Handles `server/discover`.
 * @see Spec 2026-07-28 server/discover
 */
export const discover: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    const { core, versions } = connection;
    exchange.done({
      supportedVersions: [...versions.modern, ...versions.legacy],
      capabilities: core.capabilities,
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
      ...core.greetingHint,
    });
  },
};

/** Sends `server/discover`. Calls back with the response of the server or an error. Returns a function that stops it. */
export function discoverServer(
  session: DialledConnection,
  version: string,
  done: (greeting: Greeting | Error) => void,
): () => void {
  const { peer } = session;
  session.version = version;
  const call = peer.calls.start(
    'server/discover',
    (id) => outgoing(session, undefined, { id }),
    { idleTimeoutMs: Infinity, totalTimeoutMs: Infinity },
    {
      result(result) {
        const { supportedVersions, capabilities, instructions, _meta } = result;
        if (!Array.isArray(supportedVersions) || !isObject(capabilities)) {
          done(
            new RxmcpError(
              'INVALID_RESULT',
              'the response to "server/discover" lacks its versions or capabilities',
              { outcome: 'answered' },
            ),
          );
          return;
        }
        const common = session.versions.modern.find((v) => supportedVersions.includes(v));
        if (common === undefined) {
          const supported = named(supportedVersions, session.versions.legacy);
          done(noCommonVersion(supported, session.versions, { outcome: 'answered', data: { supported } }));
          return;
        }
        const info = isObject(_meta) ? _meta[META_KEYS.serverInfo] : undefined;
        done({
          version: common,
          capabilities,
          info: isObject(info) ? (info as unknown as Implementation) : undefined,
          instructions: typeof instructions === 'string' ? instructions : undefined,
        });
      },
      failed: done,
    },
    requestOptions(session, 'server/discover', undefined, undefined),
  );
  return () => void peer.calls.drop(call);
}

// At most a few versions, those that this client has first: the list is untrusted and may be long.
function named(supported: readonly unknown[], known: readonly string[]): string[] {
  const others = supported.filter((v): v is string => typeof v === 'string' && v.length <= 32);
  return [...new Set([...known.filter((v) => supported.includes(v)), ...others.slice(0, 8)])];
}
