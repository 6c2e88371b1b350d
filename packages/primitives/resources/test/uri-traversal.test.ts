import { describe, expect, it } from 'vitest';
import { RxmcpError } from '@rxmcp/core';
import { uriTemplate } from '../src/index.js';

describe('RELIABILITY row 59: template value .., %2e%2e, %2f, %5c, %00, drive, UNC, absolute', () => {
  it.each([
    ['file:///{+p}', 'file:///a/../b', '".."'],
    ['file:///{+p}', 'file:///..', '".."'],
    ['file:///{+p}', 'file:///%2e%2E/etc', '".."'],
    ['file:///{+p}', 'file:///a/..%2Fb', '".."'],
    ['file:///{+p}', 'file:///a%5Cb', 'backslash'],
    ['file:///{+p}', 'file:///a%00b', 'NUL'],
    ['file:///{+p}', 'file:////etc/passwd', 'absolute'],
    ['file:///{+p}', 'file:///%2Fetc', 'absolute'],
    ['file:///{+p}', 'file:////server/share', 'absolute'],
    ['file:///{+p}', 'file:///C:/x', 'drive'],
    ['file:///{+p}', 'file:///c%3A/x', 'drive'],
    ['file:///{+p}', 'file:///./a', '"." segment'],
    ['file:///{+p}', 'file:///a/%2E/b', '"." segment'],
    ['file:///{+p}', 'file:///a/.', '"." segment'],
    ['file:///{+p}', 'file:///.%2Fa', '"." segment'],
    ['file:///{+p}', 'file:///a%2Fb', 'encoded slash'],
    ['file:///{+p}', 'file:///a%2fb', 'encoded slash'],
    ['file:///{+p}', 'file:///a//b', 'empty segment'],
    ['file:///{+p}', 'file:///a/b//', 'empty segment'],
    ['file:///{+p}.md', 'file:///a//.md', 'empty segment'],
    ['file:///{+p*}', 'file:///a,b//c', 'empty segment'],
    ['file:///{v}', 'file:///%2e%2e', '".."'],
    ['file:///{v}', 'file:///a%2Fb', '{+v}'],
    ['file:///{v}', 'file:///a%2fb', '{+v}'],
    ['file:///{v}', 'file:///%5C%5Cserver', 'backslash'],
    ['file:///{v}', 'file:///%00', 'NUL'],
    ['file:///{v}', 'file:///%FF', 'UTF-8'],
    ['x:y{?p}', 'x:y?p=../a', '".."'],
  ])('%s refuses %s', (text, uri, problem) => {
    const failed = (): unknown => uriTemplate(text).match(uri);
    expect(failed).toThrow(problem);
    expect(failed).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });

  it('allows a variable to do so where its author sets it, and no other', () => {
    const open = uriTemplate('x:/{v}/{w}', { dangerouslyAllow: ['v'] });
    expect(open.match('x:/..%2F/a')).toEqual({ v: '../', w: 'a' });
    expect(open.expand({ v: '../a', w: 'b' })).toBe('x:/..%2Fa/b');
    expect(() => open.match('x:/a/..%2F')).toThrow(RxmcpError);
    const spelled = uriTemplate('x:/{+v}', { dangerouslyAllow: ['v'] });
    expect(spelled.match('x:/./a//b%2Fc')).toEqual({ v: './a//b/c' });
    expect(() => uriTemplate('x:/{v}', { dangerouslyAllow: ['w'] })).toThrow('has no variable "w"');
  });

  it('takes names that only look alike', () => {
    expect(uriTemplate('file:///{+p}').match('file:///a..b/..c/d../.e')).toEqual({ p: 'a..b/..c/d../.e' });
    expect(uriTemplate('file:///{+p}').match('file:///a./b/')).toEqual({ p: 'a./b/' });
  });
});
