export { duplexConnection, type DuplexConnectionOptions } from './net/duplex-connection.js';
export { serveSocket, type ServeSocketOptions, type SocketServeHandle } from './net/serve-socket.js';
export { socket, type SocketOptions } from './net/socket.js';
