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
import type { OwnMethod, ServingConnection } from '../served.js';
import { followLists } from './feed.js';
import { clientHello, serverHello } from './projection/opening.js';

/** Serves the handshake. Spec 2025-11-25 basic/lifecycle. */
export const initialize: OwnMethod = {
  handle(serving: ServingConnection, exchange: PendingExchange): void {
    if (serving.legacy !== undefined) {
      exchange.failed(new RpcError(INVALID_REQUEST, '"initialize" has been answered already'));
      return;
    }
    const { protocolVersion, capabilities, clientInfo } = exchange.params;
    if (typeof protocolVersion !== 'string')
      return exchange.failed(bad('"protocolVersion" must be a string'));
    if (!isObject(capabilities)) return exchange.failed(bad('"capabilities" must be an object'));
    if (!isObject(clientInfo)) return exchange.failed(bad('"clientInfo" must be an object'));
    const { legacy } = serving.versions;
    // A version that is not spoken here is no error: the server offers its own, the client may leave.
    const version = legacy.includes(protocolVersion) ? protocolVersion : (legacy[0] as string);
    const { core, traits } = serving;
    const offered = traits.serverInitiates ? core.capabilities : withoutServerInitiated(core.capabilities);
    if (traits.idScope === 'connection') {
      serving.legacy = {
        version,
        caller: {
          principal: exchange.caller.principal,
          info: clientInfo as unknown as Implementation,
          capabilities: unspoken(version, capabilities),
        },
        nullIds: version <= '2025-06-18',
        ready: false,
        logLevel: undefined,
        watches: undefined,
        stopLists: undefined,
      };
      if (traits.serverInitiates) followLists(serving, serving.legacy);
      core.changed();
    }
    exchange.opens = true;
    const hello = { protocolVersion: version, capabilities: offered, serverInfo: core.info };
    exchange.done({
      ...serverHello(version)(hello),
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
    });
  },
};

/** Answers a health check. */
export const ping: OwnMethod = {
  handle(_serving: ServingConnection, exchange: PendingExchange): void {
    exchange.done({});
  },
};

/** Makes a session by handshake; calls back with what the server said, or why not. */
export function greet(
  session: DialledConnection,
  version: string,
  done: (greeting: Greeting | Error) => void,
): () => void {
  const { peer, definition } = session;
  const call = peer.calls.start(
    'initialize',
    () =>
      clientHello(version)({
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
          const message = `the server speaks ${quoted(protocolVersion)}, this client ${session.versions.legacy.join(', ')}`;
          done(new RxmcpError('NO_COMMON_VERSION', message, { outcome: 'answered' }));
          return;
        }
        done({
          version: protocolVersion,
          capabilities: ungated(protocolVersion, capabilities),
          info: isObject(serverInfo) ? (serverInfo as unknown as Implementation) : undefined,
          instructions: typeof instructions === 'string' ? instructions : undefined,
        });
      },
      failed: done,
    },
  );
  return () => void peer.calls.drop(call);
}

/** Tells the server that the client is ready. */
export function greeted(session: DialledConnection): void {
  void session.peer.writer.send(notification('notifications/initialized'), {
    completesHandshake: true,
    version: session.version,
  });
}

/** The notifications of this era that are no offer's; true when it was one. */
export function isAcceptedByLegacy(
  serving: ServingConnection,
  method: JsonRpcNotification['method'],
): boolean {
  if (method !== 'notifications/initialized') return false;
  if (serving.legacy !== undefined) serving.legacy.ready = true;
  return true;
}

// 2024-11-05 completes without a capability for it: whether the server does is known by asking.
function ungated(version: string, capabilities: JsonObject): JsonObject {
  return version < '2025-03-26' ? { completions: {}, ...capabilities } : capabilities;
}

function bad(what: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `"initialize": ${what}`);
}

// Until 2025-06-18 whoever samples may be asked for context; no client has a word for it.
function unspoken(version: string, capabilities: JsonObject): JsonObject {
  const { sampling } = capabilities;
  return version < '2025-11-25' && isObject(sampling)
    ? { ...capabilities, sampling: { context: {}, ...sampling } }
    : capabilities;
}
