import type { JsonObject } from '@rxmcp/jsonrpc';
import { META } from '@rxmcp/jsonrpc';
import type { Implementation } from '../../context.js';
import { McpError } from '../../errors.js';
import type { Exchange } from '../../peer/exchange.js';
import type { Serving } from '../../server/serving.js';
import type { Session } from '../../client/session.js';
import type { Greeting, OwnMethod } from '../era.js';
import { outgoing } from './codec.js';

/** Tells what the server speaks and offers. Spec 2026-07-28 server/discover. */
export const discover: OwnMethod = {
  handle(serving: Serving, exchange: Exchange): void {
    const { core, versions } = serving;
    exchange.done({
      supportedVersions: [...versions.modern, ...versions.legacy],
      capabilities: core.capabilities,
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
    });
  },
};

/** Asks what the server speaks; calls back with what it said, or why not. */
export function greet(
  session: Session,
  version: string,
  done: (greeting: Greeting | Error) => void,
): () => void {
  const { peer } = session;
  session.version = version;
  const call = peer.calls.start(
    'server/discover',
    (id) => outgoing(session, undefined, { id }),
    { timeoutMs: Infinity, totalMs: Infinity },
    {
      result(result) {
        const { supportedVersions, capabilities, instructions, _meta } = result;
        if (!Array.isArray(supportedVersions) || typeof capabilities !== 'object' || capabilities === null) {
          done(
            new McpError(
              'INVALID_RESULT',
              'the answer to "server/discover" lacks its versions or capabilities',
              { outcome: 'answered' },
            ),
          );
          return;
        }
        const common = session.versions.modern.find((v) => supportedVersions.includes(v));
        if (common === undefined) {
          done(
            new McpError('NO_COMMON_VERSION', `the server speaks ${supportedVersions.join(', ')}`, {
              outcome: 'answered',
              data: { supported: supportedVersions },
            }),
          );
          return;
        }
        const info = (_meta as JsonObject | undefined)?.[META.serverInfo];
        done({
          version: common,
          capabilities: capabilities as JsonObject,
          info: typeof info === 'object' && info !== null ? (info as Implementation) : undefined,
          instructions: typeof instructions === 'string' ? instructions : undefined,
        });
      },
      failed: done,
    },
  );
  return () => void peer.calls.drop(call);
}
