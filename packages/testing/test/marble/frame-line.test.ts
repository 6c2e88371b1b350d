import { describe, expect, it } from 'vitest';
import { frameOf } from '../../src/marble/diagram.js';

const subscription = 'io.modelcontextprotocol/subscriptionId';

describe('a line of a transcript', () => {
  it.each([
    ['notifications/cancelled {"requestId":"#9"}', { requestId: 9 }],
    ['notifications/progress {"progressToken":"#9","progress":1}', { progressToken: 9, progress: 1 }],
    ['#1 a {"_meta":{"progressToken":"#9"}}', { _meta: { progressToken: 9 } }],
    [`#1 a {"_meta":{"${subscription}":"#9"}}`, { _meta: { [subscription]: 9 } }],
    ['notifications/cancelled {"requestId":"own"}', { requestId: 'own' }],
  ])('names a request: %s', (line, params) => {
    expect(frameOf(`> ${line}`).message.params).toEqual(params);
  });

  it.each([
    '#1 tools/call {"arguments":{"requestId":"#9","progressToken":"#9","_meta":{"progressToken":"#9"}}}',
    'notifications/own {"requestId":"#9","progressToken":"#9"}',
    '#1 own ["#9",{"requestId":"#9"}]',
  ])('leaves content of the user unchanged: %s', (line) => {
    expect(JSON.stringify(frameOf(`> ${line}`).message.params)).toBe(line.slice(line.search(/[{[]/)));
  });

  it('shows the result', () => {
    const message = { jsonrpc: '2.0', id: 1, result: { requestId: '#9' } };
    expect(frameOf('< #1 result {"requestId":"#9"}')).toEqual({ from: 'server', message });
  });
});
