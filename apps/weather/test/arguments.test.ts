import { describe, expect, it } from 'vitest';
import { readArguments } from '../src/arguments.js';

describe('readArguments', () => {
  it.each([
    [[], { does: 'serve', file: undefined, offline: false }],
    [['--offline', '--stdio'], { does: 'serve', file: undefined, offline: true }],
    [['--http'], { does: 'serve', offline: false }],
    [['--http', '8080'], { does: 'serve', offline: false }],
    [['--print-config'], { does: 'print-config' }],
    [['--print-config', 'claude-desktop'], { does: 'print-config' }],
    [['--write-config'], { does: 'write-config', file: undefined }],
    [['--write-config', 'a.json', '--offline'], { does: 'write-config', file: 'a.json', offline: true }],
    [['--help', '--print-config'], { does: 'help' }],
    [['--version'], { does: 'version' }],
  ])('%j', (argv, invocation) => {
    expect(readArguments(argv)).toMatchObject(invocation);
  });

  it.each([
    [['--ofline'], 'unknown option "--ofline", did you mean "--offline"?'],
    [['--print'], 'unknown option "--print", did you mean "--print-config"?'],
    [['--wrote-config=x'], 'unknown option "--wrote-config", did you mean "--write-config"?'],
    [
      ['-x'],
      'unknown option "-x". There are --offline, --stdio, --http, --print-config, --write-config, --help, --version',
    ],
    [['--offline=1'], "Option '--offline' does not take an argument"],
    [['extra'], 'unexpected argument "extra"'],
    [['--print-config', 'cursor'], 'unknown host "cursor". Use "claude-desktop"'],
    [['--write-config', 'a', 'b'], 'unexpected argument "b"'],
    [['--print-config', '--write-config'], '--print-config and --write-config cannot be combined'],
  ])('%j is wrong', (argv, message) => {
    expect(() => readArguments(argv)).toThrow(message);
  });
});
