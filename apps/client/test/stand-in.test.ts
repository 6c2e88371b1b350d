import { expect, it } from 'vitest';
import { toolFor } from '../src/chat/stand-in/tool-for.js';

const text = { type: 'string' };
const schema = (properties: object, required = Object.keys(properties)) => ({
  type: 'object' as const,
  properties,
  required,
});
const tools = [
  { name: 'desk__greet', description: 'Greets.', inputSchema: schema({ name: text }) },
  {
    name: 'desk__search_files',
    description: 'Searches the files.',
    inputSchema: schema({ query: text, glob: text }, ['query']),
  },
  {
    name: 'desk__summarize_file',
    description: 'Summarizes a text file.',
    inputSchema: schema({ filepath: text }),
  },
  { name: 'desk__get-alerts', description: 'Weather alerts.', inputSchema: schema({ state: text }) },
  {
    name: 'desk__calculate_sum',
    description: 'Adds two numbers.',
    inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }),
  },
];

it.each([
  ['greet Ada', 'desk__greet', { name: 'Ada' }],
  ['Please greet Ada Lovelace!', 'desk__greet', { name: 'Ada Lovelace' }],
  ['Search for roses', 'desk__search_files', { query: 'roses' }],
  ['Search the files for "red roses", please.', 'desk__search_files', { query: 'red roses' }],
  ['Search: what is due', 'desk__search_files', { query: 'what is due' }],
  ['Summarize notes/today.txt.', 'desk__summarize_file', { filepath: 'notes/today.txt' }],
  ['Which weather alerts are there in Texas?', 'desk__get-alerts', { state: 'TX' }],
  ['What is the sum of 20 and 22?', 'desk__calculate_sum', { a: 20, b: 22 }],
])('%s', (question, name, input) => expect(toolFor(question, tools)).toEqual({ name, input }));

it.each(['Hello there', 'Where are my roses?', 'greet'])('no tool fits: %s', (question) => {
  expect(toolFor(question, tools)).toBeUndefined();
});
