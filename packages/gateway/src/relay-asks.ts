import type { Context, JsonObject, Offer } from '@rxmcp/core';
import { RpcError, RxmcpError } from '@rxmcp/core';
import type { Ask } from '@rxmcp/core/internal';
import { callOwners, defineOffer, describeValue, isObject, METHOD_NOT_FOUND } from '@rxmcp/core/internal';
import { ForwardedCall } from './forwarded-call.js';

/** What the other server may ask the clients of the gateway for. */
export type RelayedAsk = 'elicitation' | 'sampling' | 'roots';

const capabilities: Readonly<Record<RelayedAsk, JsonObject>> = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

const methods: Readonly<Record<RelayedAsk, Ask['method']>> = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
};

/**
 * Lets the other server ask the clients of the gateway, as an offer of the client that connects with it. An ask goes to the
 * client whose request the other server handles.
 * @param kinds - what the other server may ask for: it is declared to it, since 2026-07-28 only what the client can do as well. @default all
 * @throws TypeError for an unknown kind
 */
export function relayAsks(kinds: readonly RelayedAsk[] = ['elicitation', 'sampling', 'roots']): Offer {
  for (const kind of kinds)
    if (!Object.hasOwn(methods, kind))
      throw new TypeError(
        `relayAsks: ${describeValue(kind)} is not one of ${Object.keys(methods).join(', ')}`,
      );
  return defineOffer({
    name: 'relayed asks',
    side: 'client',
    capabilities: Object.fromEntries(kinds.map((kind) => [kind, capabilities[kind]])),
    methods: kinds.map((kind) => ({
      method: methods[kind],
      handle: (params, ctx) => relay(methods[kind], params, ctx),
    })),
    // A client is notified with the response to its own request.
    notifications: kinds.includes('elicitation')
      ? [{ method: 'notifications/elicitation/complete', handle: () => undefined }]
      : [],
  });
}

async function relay(method: Ask['method'], params: JsonObject, ctx: Context): Promise<JsonObject> {
  const { elicitationId } = params;
  for (;;) {
    const call = callOf(method, ctx);
    try {
      return await call.ask({
        method,
        params: named(method, params, call.server.name),
        needs: needsOf(method, params),
        ...(typeof elicitationId === 'string' ? { id: elicitationId } : {}),
      });
    } catch (error) {
      // Another call of the same client may have asked.
      if (!call.isOver || ctx.signal.aborted) throw answerable(error);
    }
  }
}

/** An ask of a client without the capability fails as one of a client without the method: a server of the legacy era sees no other capabilities than those of the gateway. */
function answerable(error: unknown): unknown {
  const isLacking =
    RxmcpError.is(error, 'ASK_UNAVAILABLE') && error.data?.['requiredCapabilities'] !== undefined;
  return isLacking ? new RpcError(METHOD_NOT_FOUND, error.message) : error;
}

/** Returns the call that asks. Where an ask names none, it is one with the fewest open asks, if all are of one client. */
function callOf(method: Ask['method'], ctx: Context): ForwardedCall {
  const owners = callOwners(ctx);
  const calls = owners.filter((owner) => owner instanceof ForwardedCall);
  const [first] = calls.filter(({ isOver }) => !isOver).sort((a, b) => a.openAsks - b.openAsks);
  const ofOne = owners.length === calls.length && calls.every(({ client }) => client === first?.client);
  if (first !== undefined && ofOne && (calls.length === 1 || first.client !== undefined)) return first;
  throw new RxmcpError(
    'ASK_UNAVAILABLE',
    `"${method}" does not say which call it is for, and none or those of several clients are open. Use a server of ` +
      '2026-07-28, a transport with a lane for each request, or a connection for each client',
  );
}

/** The user must see who asks: all servers behind the gateway look like one. */
function named(method: Ask['method'], params: JsonObject, server: string): JsonObject {
  const { _meta: meta, message } = params;
  const { progressToken: _token, ...rest } = isObject(meta) ? meta : {};
  const signed = { ...params, _meta: { ...rest, 'rxmcp/server': server } };
  return method === 'elicitation/create' && typeof message === 'string'
    ? { ...signed, message: `${server}: ${message}` }
    : signed;
}

function needsOf(method: Ask['method'], { mode, tools, toolChoice }: JsonObject): JsonObject {
  if (method === 'roots/list') return { roots: {} };
  if (method === 'elicitation/create') return { elicitation: mode === 'url' ? { url: {} } : { form: {} } };
  return { sampling: tools === undefined && toolChoice === undefined ? {} : { tools: {} } };
}
