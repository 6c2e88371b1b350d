export { duplexConnection, type DuplexOptions } from './net/duplex-connection.js';
export { serveSocket, type ServeSocketOptions, type SocketHandle } from './net/serve-socket.js';
export { socket, type SocketOptions } from './net/socket.js';
