import { type ContextSource, openAiModel, type SamplingModel } from 'rxmcp/sampling';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { extractiveModel } from './extractive.js';

/** A model that answers the requests of servers, and whether it uses tools. */
export interface AnsweringModel {
  readonly model: SamplingModel;
  readonly tools: boolean;
  /** Returns resources for the model, where a server asks for context. @default none */
  readonly context?: ContextSource;
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
