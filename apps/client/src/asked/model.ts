import type { Offer } from 'rxmcp';
import { type ContextSource, offerSampling, openAiModel, type SamplingModel } from 'rxmcp/sampling';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { Terminal } from '../terminal.js';
import { terminalApproval } from './approval.js';
import { extractiveModel } from './extractive.js';

/** A model that answers the requests of servers, and whether it uses tools. */
export interface AnsweringModel {
  readonly model: SamplingModel;
  readonly tools: boolean;
  /** Returns resources for the model, where a server asks for context. @default none */
  readonly context?: ContextSource;
}

/** Offers a model to servers: each request and each answer is approved at the terminal, or all are with `always`. */
export function modelOffer(
  { model, tools, context }: AnsweringModel,
  mode: 'ask' | 'always',
  terminal: Terminal,
): Offer {
  const approve = terminalApproval(terminal, mode);
  return offerSampling(model, { approve, tools, ...(context === undefined ? {} : { context }) });
}

/**
 * Returns the model of the environment: the chat endpoint at `OPENAI_BASE_URL`, or an extractive summarizer without tools.
 * Throws a UsageError if the endpoint is configured only in part, and if the key would be sent unencrypted.
 */
export function modelOf(env: NodeJS.ProcessEnv): AnsweringModel {
  const baseUrl = env['OPENAI_BASE_URL'] ?? '';
  if (baseUrl === '') return { model: extractiveModel(), tools: false };
  const model = env['OPENAI_MODEL'] ?? '';
  const apiKey = env['OPENAI_API_KEY'] ?? '';
  checkedEndpoint(baseUrl, apiKey);
  if (model === '') throw new UsageError('OPENAI_BASE_URL is set, and OPENAI_MODEL is not');
  return { model: openAiModel({ baseUrl, model, ...(apiKey === '' ? {} : { apiKey }) }), tools: true };
}

/** Reads the URL of an endpoint. Throws a UsageError for an invalid one, and if the key would be sent unencrypted. */
export function checkedEndpoint(baseUrl: string, apiKey: string): URL {
  if (!URL.canParse(baseUrl)) throw new UsageError('OPENAI_BASE_URL is not a valid URL');
  const url = new URL(baseUrl);
  if (apiKey !== '' && url.protocol !== 'https:' && !isThisMachine(url.hostname))
    throw new UsageError(
      `OPENAI_API_KEY would go to ${url.host} unencrypted: use https, or an endpoint on this machine`,
    );
  return url;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
