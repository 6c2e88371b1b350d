import { openAiModel } from 'rxmcp/sampling';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { checkedEndpoint } from '../asked/model.js';
import type { ChatModel } from './model.js';
import { standInModel, standInName } from './stand-in/stand-in-model.js';

/** A response that arrives as a stream repeats its envelope with each piece. */
const maxResponseBytes = 33_554_432;

/**
 * Returns the model of a name: the stand-in, or one of the chat endpoint at `OPENAI_BASE_URL`, by default that of OpenAI if there
 * is a key. Throws a UsageError.
 */
export function chatModelOf(given: string | undefined, env: NodeJS.ProcessEnv, timeoutMs: number): ChatModel {
  const name = given ?? env['OPENAI_MODEL'] ?? '';
  if (name === standInName) return standInModel();
  const apiKey = env['OPENAI_API_KEY'] ?? '';
  const baseUrl = env['OPENAI_BASE_URL'] ?? (apiKey === '' ? '' : openAi);
  if (name === '')
    throw new UsageError(
      `no model is given: pass --model NAME, or --model ${standInName} to try without one`,
    );
  if (baseUrl === '')
    throw new UsageError(
      `the model "${name}" needs an endpoint: set OPENAI_BASE_URL (and OPENAI_API_KEY), or pass --model ${standInName}`,
    );
  const url = checkedEndpoint(baseUrl, apiKey);
  return openAiModel({
    baseUrl,
    model: name,
    totalTimeoutMs: timeoutMs,
    maxResponseBytes,
    // The newer models of OpenAI reject the older name, which other endpoints know.
    ...(url.host === 'api.openai.com' ? { tokenLimitField: 'max_completion_tokens' as const } : {}),
    ...(apiKey === '' ? {} : { apiKey }),
  });
}

const openAi = 'https://api.openai.com/v1';
