import { type Caller, RpcError } from '@rxmcp/core';
import { INSUFFICIENT_SCOPE, type InterceptedRequest, type ItemKind } from '@rxmcp/core/interceptors';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { requireScopes, type ScopeRules } from '../src/server.js';

type Allow = (caller: Caller, kind: ItemKind, item: string) => boolean;

const requests: Record<ItemKind, (item: string) => Pick<InterceptedRequest, 'method' | 'params'>> = {
  tool: (name) => ({ method: 'tools/call', params: { name } }),
  prompt: (name) => ({ method: 'prompts/get', params: { name } }),
  resource: (uri) => ({ method: 'resources/read', params: { uri } }),
  template: (uri) => ({ method: 'completion/complete', params: { ref: { type: 'ref/resource', uri } } }),
};

/** Returns whether the rules let a request pass. */
function allowedBy(rules: ScopeRules): Allow {
  return (by, kind, item) => neededFor(rules, by, requests[kind](item)) === undefined;
}

/** Returns the scopes that a refused request needs; undefined for one that passes. */
function neededFor(rules: ScopeRules, by: Caller, request: object): unknown {
  let needed: unknown;
  requireScopes(rules)({ ...request, caller: by } as InterceptedRequest, () =>
    of({ type: 'result' as const, result: {} }),
  ).subscribe({
    error(error: unknown) {
      if (!RpcError.is(error) || error.code !== INSUFFICIENT_SCOPE) throw error;
      needed = (error.data as { requiredScopes: unknown }).requiredScopes;
    },
  });
  return needed;
}

const caller = (...scopes: string[]): Caller => ({ principal: 'ada', scopes, capabilities: {} });

describe('requireScopes', () => {
  it('requires all scopes of an item, by its kind and name', () => {
    const allow = allowedBy({
      tools: { wipe: ['write', 'admin'] },
      prompts: { plan: ['plan'] },
      resources: { 'file:///a': ['read'], 'note://*': ['read'] },
    });
    expect(allow(caller('write'), 'tool', 'wipe')).toBe(false);
    expect(allow(caller('admin', 'write'), 'tool', 'wipe')).toBe(true);
    expect(allow(caller(), 'prompt', 'wipe')).toBe(true);
    expect(allow(caller(), 'prompt', 'plan')).toBe(false);
    expect(allow(caller(), 'resource', 'file:///a')).toBe(false);
    expect(allow(caller('read'), 'resource', 'file:///a')).toBe(true);
    expect(allow(caller(), 'template', 'note://{id}')).toBe(false);
    expect(allow(caller(), 'resource', 'note://1')).toBe(false);
    expect(allow({ capabilities: {} }, 'tool', 'wipe')).toBe(false);
    expect(allow({ capabilities: {} }, 'tool', 'toString')).toBe(true);
  });

  it('rejects the text of a template, which would protect none of its resources', () => {
    expect(() => requireScopes({ resources: { 'note://{id}': ['read'] } })).toThrow(
      'requireScopes: "note://{id}" in "resources" is a template, whose resources it would not protect. Write "note://*"',
    );
  });

  it.each([
    ['methods', 'resources/subscribe', 'would protect nothing'],
    ['methods', 'subscriptions/listen', 'would protect nothing'],
    ['methods', 'server/discover', 'would protect nothing'],
    ['methods', 'ping', 'would protect nothing'],
    ['methods', 'tools/cal', 'would protect nothing, did you mean "tools/call"?'],
    ['methods', 'tool/call', 'would protect nothing, did you mean "tools/call"?'],
    ['methods', 'Prompts/get', 'did you mean "prompts/get"?'],
    ['methods', 'tools.call', 'did you mean "tools/call"?'],
    ['methods', 'resource/*', 'did you mean "resources/*"?'],
    ['methods', 'tool/invoke', 'did you mean "tools/*"?'],
    ['methods', 'resources/sub*', 'would protect nothing'],
    ['resources', 'note://*/secret', 'Write "note://*"'],
    ['tools', '*.wipe', 'Write "*"'],
  ])('rejects a rule in %s that would protect nothing: %s', (kind, name, reason) => {
    expect(() => requireScopes({ [kind]: { [name]: ['admin'] } })).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining(reason) as string,
      }) as Error,
    );
  });

  it('takes methods that it can protect, those of an application too', () => {
    const methods = { '*': [], 'tools/*': [], 'resources/templates/list': [], 'acme/find': [], 'acme.*': [] };
    expect(() => requireScopes({ methods })).not.toThrow();
  });

  it('requires the scopes of every name that covers an item', () => {
    const allow = allowedBy({ tools: { '*': ['use'], 'admin.*': ['admin'], 'admin.wipe': ['wipe'] } });
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
    const allow = allowedBy({ resources: { [rule]: ['read'], 'file:///private/x': ['more'] } });
    const isAllowed = (...scopes: string[]): boolean => allow(caller(...scopes), 'resource', uri);
    expect(isAllowed('more')).toBe(false);
    expect(isAllowed('read', 'more')).toBe(true);
  });

  it('names all scopes that a request needs at once: those of the method, and those of the item', () => {
    const rules = {
      methods: { 'tools/*': ['use'], 'tools/list': ['list'] },
      tools: { wipe: ['write', 'use'] },
    };
    const call = requests.tool('wipe');
    expect(neededFor(rules, caller('write'), call)).toEqual(['use', 'write']);
    expect(neededFor(rules, caller('use', 'write'), call)).toBeUndefined();
    expect(neededFor(rules, caller(), { method: 'tools/list', params: {} })).toEqual(['list', 'use']);
    expect(neededFor(rules, caller(), { method: 'x/other', params: {} })).toBeUndefined();
  });

  it('takes lists of scopes only', () => {
    expect(() => requireScopes({ tools: { wipe: 'write' as never } })).toThrow(
      'the scopes of "wipe" in "tools"',
    );
    expect(() => requireScopes({ tool: {} } as never)).toThrow(TypeError);
  });
});
