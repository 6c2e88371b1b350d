import type { Caller } from '@rxmcp/core';
import { spellings } from '@rxmcp/core/internal';
import { describe, expect, it } from 'vitest';
import { requireScopes } from '../src/server.js';

const caller = (...scopes: string[]): Caller => ({ principal: 'ada', scopes, capabilities: {} });

describe('requireScopes', () => {
  it('requires all scopes of an item, by its kind and name', () => {
    const allow = requireScopes({
      tools: { wipe: ['write', 'admin'] },
      prompts: { plan: ['plan'] },
      resources: { 'file:///a': ['read'], 'file:///{b}': ['read'] },
    });
    expect(allow(caller('write'), 'tool', 'wipe')).toBe(false);
    expect(allow(caller('admin', 'write'), 'tool', 'wipe')).toBe(true);
    expect(allow(caller(), 'prompt', 'wipe')).toBe(true);
    expect(allow(caller(), 'prompt', 'plan')).toBe(false);
    expect(allow(caller(), 'resource', 'file:///a')).toBe(false);
    expect(allow(caller('read'), 'resource', 'file:///a')).toBe(true);
    expect(allow(caller(), 'template', 'file:///{b}')).toBe(false);
    expect(allow({ capabilities: {} }, 'tool', 'wipe')).toBe(false);
    expect(allow({ capabilities: {} }, 'tool', 'toString')).toBe(true);
  });

  it('requires the scopes of every name that covers an item', () => {
    const allow = requireScopes({ tools: { '*': ['use'], 'admin.*': ['admin'], 'admin.wipe': ['wipe'] } });
    expect(allow(caller('use'), 'tool', 'look')).toBe(true);
    expect(allow(caller(), 'tool', 'look')).toBe(false);
    expect(allow(caller('use', 'wipe'), 'tool', 'admin.wipe')).toBe(false);
    expect(allow(caller('use', 'admin'), 'tool', 'admin.list')).toBe(true);
    expect(allow(caller('use', 'admin', 'wipe'), 'tool', 'admin.wipe')).toBe(true);
  });

  it.each([
    ['https://example.com/private/*', 'https://EXAMPLE.com:443/private/x'],
    ['https://EXAMPLE.com:443/private/*', 'https://example.com/private/x'],
    ['HTTPS://EXAMPLE.com/private/x', 'https://example.com/private/x'],
    ['file:///private/*', 'file://localhost/private/x'],
    ['file://localhost/private/*', 'file:///private/x'],
    ['file:///open/../%70rivate/x', 'file:///private/x'],
  ])('protects resources by the rule %s under the spelling %s', (rule, uri) => {
    const allow = requireScopes({ resources: { [rule]: ['read'], 'file:///private/x': ['more'] } });
    const isAllowed = (...scopes: string[]): boolean =>
      spellings(uri).every((one) => allow(caller(...scopes), 'resource', one));
    expect(isAllowed('more')).toBe(false);
    expect(isAllowed('read', 'more')).toBe(true);
  });

  it('takes lists of scopes only', () => {
    expect(() => requireScopes({ tools: { wipe: 'write' as never } })).toThrow(
      'the scopes of "wipe" in "tools"',
    );
    expect(() => requireScopes({ tool: {} } as never)).toThrow(TypeError);
  });
});
