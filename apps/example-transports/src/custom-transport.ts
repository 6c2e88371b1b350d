// For `--transport` and `--listen` of the apps: the default export dials, `serve` listens.
import process from 'node:process';
import type { ConnectionHandler, ServeHandle, Transport } from '@rxmcp/transport';
import { serveTcp, tcp } from './lines-over-tcp.js';

const transport = (): Transport => tcp(Number(process.env['EXAMPLE_PORT']));

export { transport as default };

export async function serve(handler: ConnectionHandler): Promise<ServeHandle & { url: string }> {
  const handle = await serveTcp(handler);
  return Object.assign(handle, { url: `tcp://127.0.0.1:${String(handle.port)}` });
}
