import { McpError } from '../../errors.js';
import { Prepared } from '../../offer.js';
import type { OwnMethod, ServedEra } from '../era.js';
import { bodyOf } from '../failure.js';
import { once } from './ask.js';
import { hasProgressText } from './methods.js';
import { projectAnswer } from './project.js';

/** How a client answers the requests that a server of this era sends. */
export const clientAnswers: ServedEra = {
  id: 'legacy',
  own: new Map<string, OwnMethod>(),
  claim: () => {
    throw new TypeError('a client reads claims itself');
  },
  has: () => true,
  prepare: () => undefined,
  result: ({ id, method, version }, value) => ({
    jsonrpc: '2.0',
    id,
    result: projectAnswer(method, value instanceof Prepared ? value.value : value, version),
  }),
  failure: (exchange, error) => ({
    out: { jsonrpc: '2.0', id: exchange.id, error: bodyOf(exchange, error) },
  }),
  wantsLog: () => false,
  hasProgressText: ({ version }) => hasProgressText(version),
  ask: (_exchange, _key, { method }) =>
    Promise.reject(new McpError('ASK_UNAVAILABLE', `a client cannot ask "${method}"`)),
  request: (_exchange, method) =>
    Promise.reject(new McpError('ASK_UNAVAILABLE', `a client sends "${method}" through its remote`)),
  once,
  withdraw: () => undefined,
  laneClosed: () => undefined,
  endFeeds: () => undefined,
};
