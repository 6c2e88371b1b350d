import { elicit, form, stringField } from 'rxmcp/elicitation';
import { sample, messageText } from 'rxmcp/sampling';
import { type Tool, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

const profile = form({ username: stringField(), email: stringField({ format: 'email' }) });

/** Tools that ask the client's model or user once. */
export const askingTools: readonly Tool[] = [
  tool(
    'test_sampling',
    { description: 'Asks the model.', input: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const completion = await sample(ctx, 'completion', {
        messages: [{ role: 'user', content: text(prompt) }],
        maxTokens: 100,
      });
      return text(`The model said: ${messageText(completion)}`);
    },
  ),
  tool(
    'test_elicitation',
    { description: 'Asks the user.', input: z.object({ message: z.string() }) },
    async ({ message }, ctx) =>
      text(JSON.stringify(await elicit(ctx, 'profile', { message, schema: profile }))),
  ),
  tool(
    'test_missing_capability',
    { description: 'Is rejected where there is no model.', needs: ['sampling'] },
    () => text('This client has a model.'),
  ),
  tool('test_streaming_elicitation', { description: 'Reports, then asks the user.' }, async (_args, ctx) => {
    ctx.progress(1, 2);
    const answer = await elicit(ctx, 'profile', { message: 'Who are you?', schema: profile });
    return text(`The user answered with ${answer.action}.`);
  }),
];
