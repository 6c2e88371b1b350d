export { fromSdkTransport, type FromSdkOptions } from './sdk/from-sdk-transport.js';
export { sdkAcceptor } from './sdk/sdk-acceptor.js';
export type { SdkCallback, SdkSendOptions, SdkTransport } from './sdk/sdk-transport.js';
export { serveSdkTransport } from './sdk/serve-sdk-transport.js';
export { toSdkTransport } from './sdk/to-sdk-transport.js';
