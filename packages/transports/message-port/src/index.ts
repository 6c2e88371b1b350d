export { connectToFrame, type ConnectToFrameOptions, type TargetWindow } from './connect-to-frame.js';
export { type MessagePortOptions } from './port-channel.js';
export { messagePort, type PortFactory } from './message-port.js';
export { type EventEmitterPort, type EventTargetPort, type PortLike } from './port-like.js';
export { serveFrames, type ServedWindow, type ServeFramesOptions } from './serve-frames.js';
export { serveMessagePort, type ServeMessagePortOptions } from './message-port.js';
