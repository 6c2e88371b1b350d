import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { isObject } from '../../base/checks.js';
import { RxmcpError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { DialledConnection, Greeting } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import type { OwnMethod, ServingConnection } from '../served.js';
import { outgoing } from './codec.js';
import { envelope } from './header-checks.js';

/** Tells what the server speaks and offers. Spec 2026-07-28 server/discover. */
export const discover: OwnMethod = {
  handle(serving: ServingConnection, exchange: PendingExchange): void {
    const { core, versions } = serving;
    exchange.done({
      supportedVersions: [...versions.modern, ...versions.legacy],
      capabilities: core.capabilities,
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
      ...core.greetingHint,
    });
  },
};

/** Asks what the server speaks; calls back with what it said, or why not. */
export function greet(
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
              'the answer to "server/discover" lacks its versions or capabilities',
              { outcome: 'answered' },
            ),
          );
          return;
        }
        const common = session.versions.modern.find((v) => supportedVersions.includes(v));
        if (common === undefined) {
          const supported = named(supportedVersions, session.versions.legacy);
          done(
            new RxmcpError('NO_COMMON_VERSION', `the server speaks ${supported.map(quoted).join(', ')}`, {
              outcome: 'answered',
              data: { supported },
            }),
          );
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
    envelope(session, 'server/discover', undefined, undefined),
  );
  return () => void peer.calls.drop(call);
}

// The few that a message can hold, those that matter to this client first; the list is the server's, and may be anything.
function named(supported: readonly unknown[], known: readonly string[]): string[] {
  const others = supported.filter((v): v is string => typeof v === 'string' && v.length <= 32);
  return [...new Set([...known.filter((v) => supported.includes(v)), ...others.slice(0, 8)])];
}
