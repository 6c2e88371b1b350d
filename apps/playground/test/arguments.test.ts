import { UsageError } from '@rxmcp/app-serving/usage-error';
import { expect, it } from 'vitest';
import { readArguments } from '../src/arguments.js';

it.each([
  [[], { port: 6280 }],
  [['--port', '0'], { port: 0 }],
  [['http://127.0.0.1:3000/mcp'], { port: 6280, target: 'http://127.0.0.1:3000/mcp' }],
  [
    ['--', 'node', 'server.js', '--port', 'x'],
    { port: 6280, target: { command: 'node', args: ['server.js', '--port', 'x'] } },
  ],
  [['--help'], 'help'],
  [['--version'], 'version'],
])('%j is read', (args, invocation) => {
  expect(readArguments(args)).toEqual(invocation);
});

it.each([
  [['--port', 'x'], '--port "x" is not a port'],
  [['--port', '70000'], '--port "70000" is not a port'],
  [['ftp://example.com'], '"ftp://example.com" is not an http, https, ws or wss URL'],
  [['server.js'], 'Commands follow "--"'],
  [['http://a', 'http://b'], 'too many arguments'],
  [['http://a', '--', 'node'], 'too many arguments'],
  [['--'], 'no command follows "--"'],
  [['--prot', '1'], 'the playground has no option --prot. Did you mean --port?'],
  [['--port'], '--port needs a value: --port PORT'],
])('%j is rejected', (args, message) => {
  expect(() => readArguments(args)).toThrow(UsageError);
  expect(() => readArguments(args)).toThrow(message);
});
