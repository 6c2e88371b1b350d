// The servers of the suite listen at every address. They read their port right after `listen(0)`, so that an address cannot
// be given there without making it wait; it is put in where the socket is bound.
import net from 'node:net';

const everywhere = [undefined, null, '::', '0.0.0.0'];
const { _listen2: bind } = net.Server.prototype;
if (typeof bind !== 'function')
  throw new Error('this Node binds in another way: keep the suite off the network');

net.Server.prototype._listen2 = function (address, port, addressType, ...rest) {
  const isPort = typeof port === 'number' && port >= 0;
  if (isPort && everywhere.includes(address)) return bind.call(this, '127.0.0.1', port, 4, ...rest);
  return bind.call(this, address, port, addressType, ...rest);
};
