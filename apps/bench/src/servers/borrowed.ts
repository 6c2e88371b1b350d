import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

// What the contestants themselves run on, taken from where they have it, so that nobody is measured on another version.

/** A socket of `ws`, as far as the floor uses it. */
export interface Ws {
  on(event: 'message', listener: (data: Buffer) => void): void;
  send(text: string): void;
}

/** `ws`, as far as the floor uses it. */
export interface WsModule {
  readonly WebSocketServer: new (options: { server: Server; perMessageDeflate: boolean }) => {
    on(event: 'connection', listener: (socket: Ws) => void): void;
  };
}

/** The adapter from `node:http` to web requests that the official SDKs use. */
export interface HonoNodeServer {
  getRequestListener(
    fetch: (request: Request) => Promise<Response>,
  ): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Loads `ws` as this project has it. */
export function ws(): WsModule {
  return from('rxmcp/package.json', '@rxmcp/websocket/package.json')('ws') as WsModule;
}

/** Loads the adapter as the official SDK v1 has it. */
export function honoNodeServer(): HonoNodeServer {
  return from('@modelcontextprotocol/sdk/package.json')('@hono/node-server') as HonoNodeServer;
}

/** What a module requires that is reached over others. */
function from(...path: readonly string[]): NodeJS.Require {
  return path.reduce((require, step) => createRequire(require.resolve(step)), createRequire(import.meta.url));
}
