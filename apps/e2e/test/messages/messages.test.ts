import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { messagesOf } from './collect.js';
import { problemsOf } from './form.js';

describe('messages of errors', () => {
  const listing = ['ls-files', '-co', '--exclude-standard', 'packages/**/src/**.ts', 'apps/**/src/**.ts'];
  // The texts of the fixtures for the official suite are that suite's.
  const excluded = 'apps/conformance/';
  const files = execFileSync('git', listing, { cwd: repository, encoding: 'utf8' }).split('\n');
  const messages = files
    .filter((file) => file !== '' && !file.startsWith(excluded) && existsSync(join(repository, file)))
    .flatMap((file) =>
      messagesOf(file, readFileSync(join(repository, file), 'utf8')).map((message) => ({ file, ...message })),
    );

  it('are found in the sources', () => {
    expect(messages.length).toBeGreaterThan(300);
  });

  it('are plain, name the offending thing and have one form', () => {
    const wrong = messages.flatMap((message) =>
      problemsOf(message).map((problem) => `${message.file}:${message.line} ${problem}: ${message.text}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['nobody hears it', 'new TypeError(`nobody hears "${name}"`)'],
    ['is no', 'new TypeError(`"${name}" is no remote`)'],
    ['refused', 'new RpcError(-31001, `"${name}" refused: ${max} run`)'],
    ['has left', "new TransportError('CONNECTION_LOST', 'the client has left')"],
    ['names no option', "new TypeError('the value is invalid')"],
    ['full stop', "new TransportError('CLOSED', 'the connection is closed.')"],
    ['capital', "new TransportError('CLOSED', 'The connection is closed')"],
  ])('would be rejected: %s', (_what, source) => {
    expect(messagesOf('x.ts', source).flatMap(problemsOf)).not.toEqual([]);
  });

  it('are read from choices and sums', () => {
    const source = "new RpcError(-32602, open ? `a ${b} c` : 'd e ' + f)";
    expect(messagesOf('x.ts', source).map(({ text }) => text)).toEqual(['a ${} c', 'd e ${}']);
  });

  it('are read from constants', () => {
    const source =
      "const late = 'a b'; new RpcError(-32602, late); const message = 'c d'; fault({ message })";
    expect(messagesOf('x.ts', source).map(({ text }) => text)).toEqual(['a b', 'c d']);
  });
});
