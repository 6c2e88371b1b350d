import type { Offer, Subscribable } from '../../src/index.js';
import { RxmcpError } from '../../src/index.js';
import { defineOffer, liveSet, listPages, namedOffer } from '../../src/internal.js';

/** Tools by name; each answers with its name. */
export function tools(source: readonly string[] | Subscribable<readonly string[]>, pageSize?: number): Offer {
  const item = (name: string) => ({ name, info: { name, inputSchema: { type: 'object' } } });
  type Item = ReturnType<typeof item>;
  const mapped: readonly Item[] | Subscribable<readonly Item[]> =
    'subscribe' in source
      ? {
          subscribe: (to) =>
            source.subscribe({
              next: (names) => to.next(names.map(item)),
              error: (e) => to.error(e),
              complete: () => to.complete(),
            }),
        }
      : source.map(item);
  return namedOffer<Item>({
    name: 'tools',
    kind: 'tool',
    method: 'tools/call',
    source: mapped,
    pageSize,
    check: () => undefined,
    use: ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  });
}

/** Resources by uri that can be watched, and the function that reports a change of one. */
export function resources(uris: readonly string[]): { offer: Offer; changed(uri: string): void } {
  const watching = new Map<string, Set<(uri: string) => void>>();
  const set = liveSet({
    name: 'resources',
    source: uris,
    keyOf: (uri) => uri,
    content: (uri) => uri,
  });
  const entry = (uri: string) => ({ uri, name: uri });
  const offer = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: { resources: { subscribe: true } },
    methods: [
      {
        method: 'resources/list',
        handle: listPages({ method: 'resources/list', member: 'resources', set, keyOf: (uri) => uri, entry }),
      },
      {
        method: 'resources/read',
        handle: ({ uri }) => {
          if (!uris.includes(uri as string))
            throw new RxmcpError('RESOURCE_NOT_FOUND', `no resource "${String(uri)}"`, { data: { uri } });
          return { contents: [{ uri, text: 'x' }] };
        },
      },
    ],
    watch(uri, _caller, changed) {
      const all = watching.get(uri) ?? new Set();
      watching.set(uri, all.add(changed));
      return () => all.delete(changed);
    },
  });
  return {
    offer,
    changed: (uri) => {
      for (const [watched, all] of watching) if (uri.startsWith(watched)) for (const tell of all) tell(uri);
    },
  };
}
