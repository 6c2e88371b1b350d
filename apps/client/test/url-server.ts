import { defineServer, progressItem } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts, prompt } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { serveSse } from 'rxmcp/sse/node';
import { offerTools, text, tool, ToolError } from 'rxmcp/tools';
import { bearer } from 'rxmcp/transport/guard';
import type { ServeHandle } from 'rxmcp/transport';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { concat, finalize, interval, map, NEVER, of, startWith } from 'rxjs';
import { onTestFinished } from 'vitest';

/** The transports that a url leads to. */
const serving = { http: serveHttp, sse: serveSse, ws: serveWebSocket } as const;

/** A server in this process, which ends with its test. */
export interface UrlServer {
  readonly url: string;
  /** Resolves when a call of `hold` was torn down. */
  readonly released: Promise<void>;
  end(): Promise<void>;
}

/** Serves at a port, by default a free one; only for callers with the token, where one is given. */
export async function urlServer(
  carrier: keyof typeof serving,
  {
    token,
    ...limits
  }: { readonly token?: string; readonly maxMessageBytes?: number; readonly port?: number } = {},
): Promise<UrlServer> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = defineServer({
    info: { name: 'at a url', version: '1.0.0' },
    offers: [
      offerTools([
        tool('echo', {}, (args) => text(JSON.stringify(args))),
        tool('who', {}, (_args, ctx) => text(String(ctx.caller.principal))),
        tool('fail', {}, () => {
          throw new ToolError('it failed');
        }),
        tool('hold', {}, () => concat(of(progressItem(1, 2, 'held')), NEVER).pipe(finalize(release))),
      ]),
      offerLogging(),
      offerPrompts([prompt('greet', {}, () => 'Greet Ada.')]),
      offerResources([
        resource(
          'test://clock',
          {},
          interval(30).pipe(
            startWith(-1),
            map((n) => `tick ${n + 1}`),
          ),
        ),
      ]),
    ],
  });
  const options = token === undefined ? limits : { ...limits, authenticate: bearer({ ada: token }) };
  const handle: ServeHandle & { readonly url: string } = await serving[carrier](server, options);
  onTestFinished(() => handle.close());
  return { url: handle.url, released, end: () => handle.close() };
}
