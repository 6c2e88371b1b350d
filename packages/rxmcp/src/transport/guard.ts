export { bearer, cors, guard } from '@rxmcp/transport/guard';
export type * from '@rxmcp/transport/guard';
