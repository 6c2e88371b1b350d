import type { ConnectionHandler, Transport } from '@rxmcp/transport';

/** What `tcp.mjs` exports: a transport of lines over TCP. */
export interface Tcp {
  tcp(port: number): Transport;
  serveTcp(acceptor: ConnectionHandler): Promise<{ readonly port: number; close(): Promise<void> }>;
}
