import { elicit, form, stringField } from 'rxmcp/elicitation';
import { type Prompt, embeddedResource, image, prompt, user } from 'rxmcp/prompts';
import { pixel } from './tools/content.js';

export const promptsOfTheSuite: readonly Prompt[] = [
  prompt('test_simple_prompt', { description: 'Takes nothing.' }, () => 'A simple prompt.'),
  prompt(
    'test_prompt_with_arguments',
    {
      description: 'Takes two arguments.',
      arguments: [
        { name: 'arg1', description: 'The first.', required: true },
        { name: 'arg2', description: 'The second.', required: true },
      ],
    },
    ({ arg1, arg2 }) => `A prompt with "${arg1}" and "${arg2}".`,
  ),
  prompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'Shows a resource.',
      arguments: [{ name: 'resourceUri', description: 'Which one.', required: true }],
    },
    ({ resourceUri }) => [
      user(embeddedResource({ uri: resourceUri, mimeType: 'text/plain', text: 'The text of the resource.' })),
      user('What does the resource say?'),
    ],
  ),
  prompt('test_prompt_with_image', { description: 'Shows an image.' }, () => [
    user(image(pixel, 'image/png')),
    user('What is in the image?'),
  ]),
  prompt('test_input_required_result_prompt', { description: 'Asks the user first.' }, async (_args, ctx) => {
    const answer = await elicit(ctx, 'user_context', {
      message: 'What is it about?',
      schema: form({ context: stringField() }),
    });
    return `Think about ${answer.action === 'accept' ? answer.content.context : 'anything'}.`;
  }),
];
