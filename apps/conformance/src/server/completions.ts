import type { Offer } from 'rxmcp';
import { offerCompletion } from 'rxmcp/completion';

/** Suggestions for what the prompts and templates take. */
export const completionsOfTheSuite: Offer = offerCompletion({
  prompts: { test_prompt_with_arguments: { arg1: ['test', 'testing', 'trial'], arg2: [] } },
  templates: { 'test://template/{id}/data': { id: ['1', '12', '123'] } },
});
