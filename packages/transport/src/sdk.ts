export { fromSdkTransport, type FromSdkTransportOptions } from './sdk/from-sdk-transport.js';
export { sdkConnectionHandler } from './sdk/sdk-connection-handler.js';
export type { SdkSendOptions, SdkTransport } from './sdk/sdk-transport.js';
export { serveSdkTransport } from './sdk/from-sdk-transport.js';
export { toSdkTransport } from './sdk/to-sdk-transport.js';
