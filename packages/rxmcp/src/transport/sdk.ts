export {
  fromSdkTransport,
  sdkConnectionHandler,
  serveSdkTransport,
  toSdkTransport,
} from '@rxmcp/transport/sdk';
export type * from '@rxmcp/transport/sdk';
