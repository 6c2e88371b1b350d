import { expect, it } from 'vitest';
import { matchingCommands } from '../src/page/state/palette.js';

const commands = ['echo', 'search_files', '/git-commit', 'note://files', 'Show files'].map((label) => ({
  label,
  detail: label === 'echo' ? 'Repeats files' : '',
  run: () => undefined,
}));
const found = (query: string) => matchingCommands(commands, query).map(({ label }) => label);

it.each([
  ['', ['echo', 'search_files', '/git-commit', 'note://files', 'Show files']],
  ['files', ['search_files', 'note://files', 'Show files', 'echo']],
  ['SHOW', ['Show files']],
  ['files sea', ['search_files']],
  ['/', ['/git-commit', 'note://files']],
  ['nothing', []],
])('%j finds what has all its words, labels before details', (query, labels) => {
  expect(found(query)).toEqual(labels);
});

it('shows at most 50', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({
    label: `tool ${at}`,
    detail: '',
    run: () => undefined,
  }));
  expect(matchingCommands(many, 'tool')).toHaveLength(50);
});
