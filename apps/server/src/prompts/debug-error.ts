import { assistant, prompt, type Prompt, user } from 'rxmcp/prompts';
import * as z from 'zod';
import { fenced } from './fenced.js';

/** Begins a conversation about an error, with the first questions already asked and answered. */
export const debugError: Prompt = prompt(
  'debug-error',
  {
    title: 'Debug an error',
    description: 'A guided conversation: what was seen, what was tried, what to look at next.',
    arguments: z.object({
      error: z.string().min(1).max(20_000).describe('The message, with its stack if there is one'),
    }),
  },
  ({ error }) => ({
    description: 'Finds the cause of an error, step by step',
    messages: [
      user(`I get this error:\n\n${fenced(error)}`),
      assistant("Let's find its cause. Since when does it happen, and what did you try already?"),
      user('It began with my last change. I ran it again, and read the message twice.'),
      assistant('Then first the message: which part of it names what failed, and which only says where?'),
      user(
        'Tell me: the likeliest causes in order, how to tell them apart, and the one thing to look at first.',
      ),
    ],
  }),
);
