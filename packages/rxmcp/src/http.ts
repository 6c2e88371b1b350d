export { http } from '@rxmcp/http';
export type * from '@rxmcp/http';
