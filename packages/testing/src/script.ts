import type { Context, JsonObject, Offer, Output } from '@rxmcp/core';
import type { ListName, OfferHost } from '@rxmcp/core/internal';
import { defineOffer } from '@rxmcp/core/internal';

/** Answers by method. What a handler throws, reports, logs and asks goes the way it would go in a server. */
export type Script = Readonly<Record<string, (params: JsonObject, ctx: Context) => Output<JsonObject>>>;

/** A request as the scripted server saw it, without its `_meta`. */
export interface SeenCall {
  readonly method: string;
  readonly params: JsonObject;
}

/** The offer that plays a script. */
export interface Played {
  readonly offer: Offer;
  readonly calls: readonly SeenCall[];
  /** Announces a changed list to everybody who listens. */
  listChanged(list: ListName): void;
  /** Announces a changed resource to those who follow it. */
  updated(uri: string): void;
}

/** Makes the offer of a script. Capabilities follow from its methods unless they are given. */
export function played(script: Script, capabilities = capabilitiesOf(Object.keys(script))): Played {
  const calls: SeenCall[] = [];
  const hosts = new Set<OfferHost>();
  const watches = new Set<{ readonly uri: string; readonly changed: (uri: string) => void }>();
  const offer = defineOffer({
    name: 'script',
    side: 'server',
    capabilities,
    methods: Object.entries(script).map(([method, answer]) => ({
      method,
      handle(params, ctx) {
        const { _meta: _era, ...own } = params;
        calls.push({ method, params: own });
        return answer(own, ctx);
      },
    })),
    start(host) {
      hosts.add(host);
      return () => void hosts.delete(host);
    },
    watch(uri, _caller, changed) {
      const entry = { uri, changed };
      watches.add(entry);
      return () => void watches.delete(entry);
    },
  });
  return {
    offer,
    calls,
    listChanged(list) {
      for (const host of [...hosts]) host.changed(list);
    },
    updated(uri) {
      for (const { uri: watched, changed } of [...watches]) if (isAtOrBelow(uri, watched)) changed(uri);
    },
  };
}

function isAtOrBelow(uri: string, watched: string): boolean {
  return uri === watched || uri.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

const families: Readonly<Record<string, readonly [name: string, value: JsonObject]>> = {
  tools: ['tools', { listChanged: true }],
  prompts: ['prompts', { listChanged: true }],
  resources: ['resources', { listChanged: true, subscribe: true }],
  completion: ['completions', {}],
};

function capabilitiesOf(methods: readonly string[]): JsonObject {
  const found = methods.flatMap((method) => {
    const family = families[method.split('/')[0] ?? ''];
    return family === undefined ? [] : [family];
  });
  return Object.fromEntries([...found, ['logging', {}]]);
}
