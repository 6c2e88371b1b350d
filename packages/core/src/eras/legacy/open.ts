import type { JsonObject, JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { estimateBytes } from '../../base/json-size.js';
import { RxmcpError } from '../../base/errors.js';
import type { DialledConnection, Greeting } from '../dialled.js';
import type { Implementation } from '../../contract/context.js';
import { withoutServerInitiated } from '../../offers/capabilities.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { notification } from '../../peer/writer.js';
import type { OwnMethod, EraConnection } from '../served.js';
import { declaredSizeProblem } from '../declared-size.js';
import { noCommonVersion } from '../versions.js';
import { followLists } from './feed.js';
import { initializeParamsRule, initializeResultRule } from './projection/opening.js';

interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

/** What a session takes besides the names and capabilities of its client, in bytes. */
const sessionBytes = 2_048;

/** Returns the parameters of an `initialize`, or what is wrong with them. */
function readParams({ protocolVersion, capabilities, clientInfo }: JsonObject): InitializeParams | string {
  if (typeof protocolVersion !== 'string') return '"protocolVersion" must be a string';
  if (!isObject(capabilities)) return '"capabilities" must be an object';
  if (!isObject(clientInfo)) return '"clientInfo" must be an object';
  const problem =
    declaredSizeProblem('capabilities', capabilities) ?? declaredSizeProblem('clientInfo', clientInfo);
  if (problem !== undefined) return problem;
  return { protocolVersion, capabilities, clientInfo };
}

/**
 * Whether a request begins the session of another client on a pipe that has one: a gateway passes its clients on one after another.
 * An `initialize` that will be rejected changes nothing.
 */
export function startsNextSession(
  { legacy, listens, traits }: EraConnection,
  { method, params = {} }: JsonRpcRequest,
): boolean {
  if (method !== 'initialize' || traits.idScope !== 'connection') return false;
  const isUsed = legacy !== undefined || (listens?.size ?? 0) > 0;
  return isUsed && typeof readParams(params) !== 'string';
}

/**
 * Handles `initialize`.
 * @see Spec 2025-11-25 basic/lifecycle
 */
export const initialize: OwnMethod = {
  handle(connection: EraConnection, exchange: PendingExchange): void {
    const params = readParams(exchange.params);
    if (typeof params === 'string')
      return exchange.failed(new RxmcpError('INVALID_PARAMS', `"initialize": ${params}`));
    const { protocolVersion, capabilities, clientInfo } = params;
    const { legacy } = connection.versions;
    // An unsupported version is not an error: the server offers its own, and the client may disconnect.
    const version = legacy.includes(protocolVersion) ? protocolVersion : (legacy[0] as string);
    const { core, traits } = connection;
    const offered = traits.serverInitiates ? core.capabilities : withoutServerInitiated(core.capabilities);
    if (traits.idScope === 'connection') {
      const heldBytes = sessionBytes + estimateBytes({ capabilities, clientInfo }, Infinity);
      if (!connection.memory.tryCharge(connection.holder, heldBytes)) return exchange.overloaded();
      connection.legacy = {
        version,
        caller: {
          ...exchange.caller,
          info: clientInfo as unknown as Implementation,
          capabilities: withContext(version, capabilities),
        },
        heldBytes,
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
    const result = { protocolVersion: version, capabilities: offered, serverInfo: core.info };
    exchange.done({
      ...initializeResultRule(version)(result),
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
            new RxmcpError(
              'INVALID_RESULT',
              'the response to "initialize" lacks its version or capabilities',
              {
                outcome: 'answered',
              },
            ),
          );
          return;
        }
        if (!session.versions.legacy.includes(protocolVersion)) {
          done(noCommonVersion([protocolVersion], session.versions, { outcome: 'answered' }));
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
  // Clients send it to every server of a session, also to one that does not use roots.
  if (method === 'notifications/roots/list_changed') return true;
  if (method !== 'notifications/initialized') return false;
  if (connection.legacy !== undefined) connection.legacy.ready = true;
  return true;
}

// 2024-11-05 has no capability for completion: a client must try.
function withCompletions(version: string, capabilities: JsonObject): JsonObject {
  return version < '2025-03-26' ? { completions: {}, ...capabilities } : capabilities;
}

// Until 2025-06-18 a client that supports sampling may be asked for context, but cannot declare so.
function withContext(version: string, capabilities: JsonObject): JsonObject {
  const { sampling } = capabilities;
  return version < '2025-11-25' && isObject(sampling)
    ? { ...capabilities, sampling: { context: {}, ...sampling } }
    : capabilities;
}
