export {
  verifyApplicableRules,
  verifyTransport,
  type RegisterTest,
  type VerifyOptions,
  type VerifyRequest,
} from './verify/verify-transport.js';
export { echoConnectionHandler } from './peer/handle-request.js';
export type {
  AcceptsAt,
  InjectionResult,
  OutgoingFrame,
  SessionOpener,
  Fixture,
  ServeFixture,
} from './fixture/fixture.js';
export type { ProcessWatch, WatchedChild } from './process/process-watch.js';
export { Relay, type RelayedConnection, type RelayOptions } from './relay/relay.js';
export type { RelayFlow } from './relay/relay-flow.js';
export type { Disturbance, RelayEnd, Towards } from './relay/disturbance.js';
export { ContractViolationError, type SkipCondition, type Rule } from './rules/rule.js';
export type { RuleContext } from './rules/rule-context.js';
