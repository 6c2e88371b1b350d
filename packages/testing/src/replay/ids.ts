import type { JsonObject } from '@rxmcp/core';

export const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

type Kind = 'id' | 'token' | 'state';

/** What the live party calls things that the recorded one called otherwise: its ids, its progress tokens, sealed states. */
export class Ids {
  private readonly live = new Map<string, unknown>();

  bind(kind: Kind, recorded: unknown, live: unknown): void {
    this.live.set(`${kind} ${JSON.stringify(recorded)}`, live);
  }

  /** The live name; the recorded one where nothing was bound. */
  of(kind: Kind, recorded: unknown): unknown {
    const key = `${kind} ${JSON.stringify(recorded)}`;
    return this.live.has(key) ? this.live.get(key) : recorded;
  }

  /** A recorded message of the played side, in the words of the live one. */
  translated(message: JsonObject): JsonObject {
    const { method, id, params, result } = message as JsonObject & {
      params?: JsonObject;
      result?: JsonObject;
    };
    if (method === undefined) {
      return {
        ...message,
        ...(id === undefined ? {} : { id: this.of('id', id) }),
        ...(result === undefined ? {} : { result: this.tagged(result) }),
      } as JsonObject;
    }
    if (params === undefined) return message;
    const own = this.tagged(params);
    if (method === 'notifications/progress') own.progressToken = this.of('token', params.progressToken);
    if (params.requestState !== undefined) own.requestState = this.of('state', params.requestState);
    return { ...message, params: own } as JsonObject;
  }

  private tagged(body: JsonObject): Record<string, unknown> {
    const meta = body._meta as JsonObject | undefined;
    if (meta?.[subscriptionId] === undefined) return { ...body };
    return { ...body, _meta: { ...meta, [subscriptionId]: this.of('id', meta[subscriptionId]) } };
  }
}
