export { connectToFrame, type ConnectToFrameOptions, type TargetWindow } from './connect-to-frame.js';
export { type MessagePortOptions } from './port-carrier.js';
export { messagePort, type MakePort } from './message-port.js';
export { type EmitterPort, type EventPort, type PortLike } from './port-like.js';
export { serveFrames, type ServedWindow, type ServeFramesOptions } from './serve-frames.js';
export { serveMessagePort, type ServeMessagePortOptions } from './message-port.js';
