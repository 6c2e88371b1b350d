import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { JsonObject, JsonRpcNotification } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { DialledConnection, Greeting } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import { withoutServerInitiated } from '../../offers/capabilities.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { notification } from '../../peer/writer.js';
import type { OwnMethod, EraConnection } from '../served.js';
import { followLists } from './feed.js';
import { initializeParamsRule, initializeResultRule } from './projection/opening.js';

/**
 * Handles `initialize`.
 * @see Spec 2025-11-25 basic/lifecycle
 */
export const initialize: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    if (connection.legacy !== undefined) {
      exchange.failed(new RpcError(INVALID_REQUEST, '"initialize" has been answered already'));
      return;
    }
    const { protocolVersion, capabilities, clientInfo } = exchange.params;
    if (typeof protocolVersion !== 'string')
      return exchange.failed(bad('"protocolVersion" must be a string'));
    if (!isObject(capabilities)) return exchange.failed(bad('"capabilities" must be an object'));
    if (!isObject(clientInfo)) return exchange.failed(bad('"clientInfo" must be an object'));
    const { legacy } = connection.versions;
    // An unsupported version is not an error: the server offers its own, and the client may disconnect.
    const version = legacy.includes(protocolVersion) ? protocolVersion : (legacy[0] as string);
    const { core, traits } = connection;
    const offered = traits.serverInitiates ? core.capabilities : withoutServerInitiated(core.capabilities);
    if (traits.idScope === 'connection') {
      connection.legacy = {
        version,
        caller: {
          ...exchange.caller,
          info: clientInfo as unknown as Implementation,
          capabilities: withContext(version, capabilities),
        },
        nullIds: version <= '2025-06-18',
        ready: false,
        logLevel: undefined,
        watches: undefined,
        stopLists: undefined,
      };
      if (traits.serverInitiates) followLists(connection, connection.legacy);
      core.changed();
    }
    exchange.opens = true;
    const answer = { protocolVersion: version, capabilities: offered, serverInfo: core.info };
    exchange.done({
      ...initializeResultRule(version)(answer),
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
    });
  },
};

/** Handles `ping`. */
export const ping: OwnMethod = {
  handle(_connection: EraConnection, exchange: PendingExchange): void {
    exchange.done({});
  },
};

/**
 * Opens a session by handshake. Calls back with the response of the server or an error. Returns a function that
 * stops it.
 */
export function initializeSession(
  session: DialledConnection,
  version: string,
  done: (greeting: Greeting | Error) => void,
): () => void {
  const { peer, definition } = session;
  const call = peer.calls.start(
    'initialize',
    () =>
      initializeParamsRule(version)({
        protocolVersion: version,
        capabilities: definition.capabilities,
        clientInfo: definition.info,
      }),
    { idleTimeoutMs: Infinity, totalTimeoutMs: Infinity },
    {
      result(result) {
        const { protocolVersion, capabilities, serverInfo, instructions } = result;
        if (typeof protocolVersion !== 'string' || !isObject(capabilities)) {
          done(
            new RxmcpError('INVALID_RESULT', 'the answer to "initialize" lacks its version or capabilities', {
              outcome: 'answered',
            }),
          );
          return;
        }
        if (!session.versions.legacy.includes(protocolVersion)) {
          const message = `the server supports ${quoted(protocolVersion)}, this client ${session.versions.legacy.join(', ')}`;
          done(new RxmcpError('NO_COMMON_VERSION', message, { outcome: 'answered' }));
          return;
        }
        done({
          version: protocolVersion,
          capabilities: withCompletions(protocolVersion, capabilities),
          info: isObject(serverInfo) ? (serverInfo as unknown as Implementation) : undefined,
          instructions: typeof instructions === 'string' ? instructions : undefined,
        });
      },
      failed: done,
    },
  );
  return () => void peer.calls.drop(call);
}

/** Notifies the server that the client is ready. */
export function sendInitialized(session: DialledConnection): void {
  void session.peer.writer.send(notification('notifications/initialized'), {
    completesHandshake: true,
    version: session.version,
  });
}

/** Handles notifications that belong to this era rather than to an offer. Returns true if it handled one. */
export function isAcceptedByLegacy(
  connection: EraConnection,
  method: JsonRpcNotification['method'],
): boolean {
  if (method !== 'notifications/initialized') return false;
  if (connection.legacy !== undefined) connection.legacy.ready = true;
  return true;
}

// 2024-11-05 has no capability for completion: a client must try.
function withCompletions(version: string, capabilities: JsonObject): JsonObject {
  return version < '2025-03-26' ? { completions: {}, ...capabilities } : capabilities;
}

function bad(what: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `"initialize": ${what}`);
}

// Until 2025-06-18 a client that supports sampling may be asked for context, but cannot declare so.
function withContext(version: string, capabilities: JsonObject): JsonObject {
  const { sampling } = capabilities;
  return version < '2025-11-25' && isObject(sampling)
    ? { ...capabilities, sampling: { context: {}, ...sampling } }
    : capabilities;
}
