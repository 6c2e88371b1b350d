export { bearer, cors, forwardedAddress, guard } from '@rxmcp/transport/guard';
export type * from '@rxmcp/transport/guard';
