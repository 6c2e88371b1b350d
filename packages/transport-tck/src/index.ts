export {
  verifyTransport,
  type RegisterTest,
  type VerifyOptions,
  type VerifyRequest,
} from './verify/verify-transport.js';
export { echoAcceptor } from './peer/echo-acceptor.js';
export type { Accepts, Carried, Dressed, Opener, Rig, Serve } from './stage/rig.js';
export { LawBroken } from './laws/law.js';
export type { Facts } from './stage/facts.js';
export type { Gate, Law } from './laws/law.js';
