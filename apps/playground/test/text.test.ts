import { RpcError, RxmcpError, TransportError } from 'rxmcp';
import { expect, it } from 'vitest';
import { describeError } from '../src/page/state/errors.js';
import { wireEntry } from '../src/page/state/journal.js';
import { visibleText } from '../src/page/view/dom.js';

it.each([
  ['a\tb\r\nc', 'a\tb\nc'],
  ['\u001b[31m', '\\u{1b}[31m'],
  ['pay \u202efdp.exe', 'pay \\u{202e}fdp.exe'],
  ['in\u200bvisible \u{e0041}', 'in\\u{200b}visible \\u{e0041}'],
  ['line\u2028separator', 'line\\u{2028}separator'],
  ['👩‍👩‍👧 ❤️ עברית', '👩‍👩‍👧 ❤️ עברית'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it('cuts a huge text, and says how long it is', () => {
  expect(visibleText('x'.repeat(300_000))).toMatch(/^x{200000}… \(300000 characters\)$/);
});

it.each([
  [
    new RpcError(-32602, 'no such tool', { name: 'x' }),
    'The server answered error -32602: no such tool {"name":"x"}',
  ],
  [
    new TransportError('CONNECTION_LOST', 'it was cut'),
    'CONNECTION_LOST: it was cut. The request may have run.',
  ],
  [new RxmcpError('TIMEOUT', 'too late', { outcome: 'not-sent' }), 'TIMEOUT: too late'],
  [new TypeError('no transport for "ftp:"'), 'no transport for "ftp:"'],
  ['odd', 'odd'],
])('%o is described', (error, text) => {
  expect(describeError(error)).toBe(text);
});

it('hides the secrets of a message, and nothing else', () => {
  const params = {
    apiKey: 'k1',
    access_token: 't1',
    note: 'Authorization: Bearer abc.def',
    progressToken: 'p1',
    max_tokens: 5,
  };
  const { label, text } = wireEntry({ direction: 'out', message: { method: 'tools/call', params } });
  expect(label).toBe('→ sent');
  expect(text).not.toMatch(/k1|t1|abc/);
  expect(JSON.parse(text)).toEqual({
    method: 'tools/call',
    params: {
      apiKey: '[hidden]',
      access_token: '[hidden]',
      note: 'Authorization: Bearer [hidden]',
      progressToken: 'p1',
      max_tokens: 5,
    },
  });
  expect(wireEntry({ direction: 'in', message: { result: 'y'.repeat(10_000) } }).text).toHaveLength(
    4_000 + '… (10013 characters)'.length,
  );
});
