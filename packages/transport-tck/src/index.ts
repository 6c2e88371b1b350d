export {
  verifyTransport,
  type RegisterTest,
  type VerifyOptions,
  type VerifyRequest,
} from './verify/verify-transport.js';
export { echoConnectionHandler } from './peer/echo-acceptor.js';
export type { AcceptsAt, InjectionResult, OutgoingFrame, SessionOpener, Fixture, ServeFixture } from './stage/rig.js';
export { ContractViolationError } from './laws/law.js';
export type { RuleContext } from './stage/facts.js';
export type { SkipCondition, Rule } from './laws/law.js';
