import { of, switchMap } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Remote } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import type { Script } from './raw-server.js';
import { rawServer } from './raw-server.js';

/** Where a notice names its subscription. */
export const sub = 'io.modelcontextprotocol/subscriptionId';
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };

/** A server of either era with a counter behind `x/read`, which follows whatever is followed. */
export function counting(
  era: 'modern' | 'legacy',
  more: (...args: Parameters<Script>) => object | null | undefined = () => undefined,
  traits = {},
) {
  let n = 0;
  const server = rawServer(
    (frame, wire, dial) => {
      const own = more(frame, wire, dial);
      if (own !== undefined) return own ?? undefined;
      if (frame.method === 'x/read') return { result: { n: (n += 1) } };
      if (frame.method === 'resources/subscribe' || frame.method === 'resources/unsubscribe')
        return { result: {} };
      if (frame.method !== 'subscriptions/listen') return undefined;
      const params = { notifications: frame.params?.['notifications'], _meta: { [sub]: frame.id } };
      wire.put({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
      return undefined;
    },
    { era, capabilities },
    traits,
  );
  const methods = (): unknown[] => server.calls().map((f) => f.method);
  const listens = (dial = 1) =>
    (server.pipes[dial - 1]?.sent ?? []).filter((f) => /listen|\/subscribe/.test(f.method ?? ''));
  const notice = (method: string, params: object = {}, dial = 1): void => {
    const _meta = era === 'modern' ? { [sub]: listens(dial).at(-1)?.id } : {};
    server.pipes[dial - 1]?.put({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  };
  return {
    server,
    methods,
    listens,
    notice,
    changed: (uri: string) => notice('notifications/resources/updated', { uri }),
  };
}

/** The counter, read once. */
export const read = (remote: Remote): Observable<number> =>
  remote.request<{ n: number }>('x/read').pipe(switchMap(({ n }) => of(n)));
/** The counter, followed under a uri. */
export const watch = (remote: Remote, uri: string, key = uri): Observable<number> =>
  getRemoteLink(remote).live(key, [{ uri }], () => read(remote));
