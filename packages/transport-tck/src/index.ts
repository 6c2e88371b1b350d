export { verifyTransport, type RegisterTest, type VerifyOptions, type VerifyRequest } from './verify.js';
export { echoAcceptor } from './peer/echo-acceptor.js';
export type { Accepts, Carried, Dressed, Opener, Rig, Serve } from './stage/rig.js';
export { LawBroken } from './stage/verdict.js';
export type { Facts, Gate, Law } from './law.js';
