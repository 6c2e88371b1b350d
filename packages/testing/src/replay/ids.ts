import type { JsonObject } from '@rxmcp/core';

export const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

type Kind = 'id' | 'token' | 'state';

/** Maps recorded names to those of the live party: ids, progress tokens and sealed states. */
export class Ids {
  readonly #live = new Map<string, unknown>();
  /** What open requests are called by the live party: whose name it is, and of which request. */
  readonly #taken = new Map<string, { readonly by: string; readonly of: string }>();

  /** `of`: the recorded id of the request that brings the name. */
  bind(kind: Kind, recorded: unknown, live: unknown, of: unknown): void {
    const by = keyOf(kind, recorded);
    this.#live.set(by, live);
    // One sealed state may serve many.
    if (kind !== 'state') this.#taken.set(keyOf(kind, live), { by, of: keyOf('id', of) });
  }

  /** Whether an open request that was recorded under another name has this one. */
  isTaken(kind: Kind, recorded: unknown, live: unknown): boolean {
    const taken = this.#taken.get(keyOf(kind, live));
    return taken !== undefined && taken.by !== keyOf(kind, recorded);
  }

  /** The live name; the recorded one where nothing was bound. */
  of(kind: Kind, recorded: unknown): unknown {
    const key = keyOf(kind, recorded);
    return this.#live.has(key) ? this.#live.get(key) : recorded;
  }

  /** What the played side says next, in the words of the live one. What it answers is open no longer. */
  translated<T extends JsonObject | readonly JsonObject[]>(said: T): T {
    if (Array.isArray(said)) return said.map((one: JsonObject) => this.#inLiveWords(one)) as unknown as T;
    return this.#inLiveWords(said as JsonObject) as T;
  }

  #inLiveWords(message: JsonObject): JsonObject {
    const { method, id, params, result } = message as JsonObject & {
      params?: JsonObject;
      result?: JsonObject;
    };
    if (method === undefined) {
      const open = keyOf('id', id);
      for (const [name, { of }] of this.#taken) if (of === open) this.#taken.delete(name);
      return {
        ...message,
        ...(id === undefined ? {} : { id: this.of('id', id) }),
        ...(result === undefined ? {} : { result: this.#tagged(result) }),
      } as JsonObject;
    }
    if (params === undefined) return message;
    const own = this.#tagged(params);
    if (method === 'notifications/progress') own.progressToken = this.of('token', params.progressToken);
    if (params.requestState !== undefined) own.requestState = this.of('state', params.requestState);
    return { ...message, params: own } as JsonObject;
  }

  #tagged(body: JsonObject): Record<string, unknown> {
    const meta = body._meta as JsonObject | undefined;
    if (meta?.[subscriptionId] === undefined) return { ...body };
    return { ...body, _meta: { ...meta, [subscriptionId]: this.of('id', meta[subscriptionId]) } };
  }
}

function keyOf(kind: Kind, name: unknown): string {
  return `${kind} ${JSON.stringify(name)}`;
}
