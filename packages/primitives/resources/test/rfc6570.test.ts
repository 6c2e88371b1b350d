import { describe, expect, it } from 'vitest';
import type { TemplateValue } from '../src/index.js';
import { expandUriTemplate } from '../src/index.js';

/** The variables of RFC 6570 section 3.2. */
const vars: Readonly<Record<string, TemplateValue | undefined>> = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: [],
  undef: undefined,
};

/** Variables with escapes, in their names or values. */
const escaped = { escaped: '%2Fa%b', 'caf%C3%A9': '1', 'caf%c3%a9': '2é', 'a%20.b': ['x', 'y'] };

/** Template, then what it makes. */
const rows: Readonly<Record<string, string>> = {
  'section 3.2.1': `
    {count} one,two,three | {count*} one,two,three | {/count} /one,two,three | {/count*} /one/two/three
    {;count} ;count=one,two,three | {;count*} ;count=one;count=two;count=three | {?count} ?count=one,two,three
    {?count*} ?count=one&count=two&count=three | {&count*} &count=one&count=two&count=three`,
  'section 3.2.2, simple': `
    {var} value | {hello} Hello%20World%21 | {half} 50%25 | O{empty}X OX | O{undef}X OX | {x,y} 1024,768
    {x,hello,y} 1024,Hello%20World%21,768 | ?{x,empty} ?1024, | ?{x,undef} ?1024 | ?{undef,y} ?768 | {var:3} val
    {var:30} value | {list} red,green,blue | {list*} red,green,blue | {keys} semi,%3B,dot,.,comma,%2C
    {keys*} semi=%3B,dot=.,comma=%2C`,
  'section 3.2.3, reserved': `
    {+var} value | {+hello} Hello%20World! | {+half} 50%25 | {base}index http%3A%2F%2Fexample.com%2Fhome%2Findex
    {+base}index http://example.com/home/index | O{+empty}X OX | O{+undef}X OX | {+path}/here /foo/bar/here
    here?ref={+path} here?ref=/foo/bar | up{+path}{var}/here up/foo/barvalue/here
    {+x,hello,y} 1024,Hello%20World!,768 | {+path,x}/here /foo/bar,1024/here | {+path:6}here /foo/bhere
    {+list} red,green,blue | {+list*} red,green,blue | {+keys} semi,;,dot,.,comma,, | {+keys*} semi=;,dot=.,comma=,`,
  'section 3.2.4, fragment': `
    {#var} #value | {#hello} #Hello%20World! | {#half} #50%25 | foo{#empty} foo# | foo{#undef} foo
    {#x,hello,y} #1024,Hello%20World!,768 | {#path,x}/here #/foo/bar,1024/here | {#path:6}here #/foo/bhere
    {#list} #red,green,blue | {#list*} #red,green,blue | {#keys} #semi,;,dot,.,comma,, | {#keys*} #semi=;,dot=.,comma=,`,
  'section 3.2.5, labels': `
    {.who} .fred | {.who,who} .fred.fred | {.half,who} .50%25.fred | www{.dom*} www.example.com | X{.var} X.value
    X{.empty} X. | X{.undef} X | X{.var:3} X.val | X{.list} X.red,green,blue | X{.list*} X.red.green.blue
    X{.keys} X.semi,%3B,dot,.,comma,%2C | X{.keys*} X.semi=%3B.dot=..comma=%2C | X{.empty_keys} X
    X{.empty_keys*} X`,
  'section 3.2.6, segments': `
    {/who} /fred | {/who,who} /fred/fred | {/half,who} /50%25/fred | {/who,dub} /fred/me%2Ftoo | {/var} /value
    {/var,empty} /value/ | {/var,undef} /value | {/var,x}/here /value/1024/here | {/var:1,var} /v/value
    {/list} /red,green,blue | {/list*} /red/green/blue | {/list*,path:4} /red/green/blue/%2Ffoo
    {/keys} /semi,%3B,dot,.,comma,%2C | {/keys*} /semi=%3B/dot=./comma=%2C`,
  'section 3.2.7, parameters': `
    {;who} ;who=fred | {;half} ;half=50%25 | {;empty} ;empty | {;v,empty,who} ;v=6;empty;who=fred
    {;v,bar,who} ;v=6;who=fred | {;x,y} ;x=1024;y=768 | {;x,y,empty} ;x=1024;y=768;empty
    {;x,y,undef} ;x=1024;y=768 | {;hello:5} ;hello=Hello | {;list} ;list=red,green,blue
    {;list*} ;list=red;list=green;list=blue | {;keys} ;keys=semi,%3B,dot,.,comma,%2C
    {;keys*} ;semi=%3B;dot=.;comma=%2C`,
  'section 3.2.8, queries': `
    {?who} ?who=fred | {?half} ?half=50%25 | {?x,y} ?x=1024&y=768 | {?x,y,empty} ?x=1024&y=768&empty=
    {?x,y,undef} ?x=1024&y=768 | {?var:3} ?var=val | {?list} ?list=red,green,blue
    {?list*} ?list=red&list=green&list=blue | {?keys} ?keys=semi,%3B,dot,.,comma,%2C
    {?keys*} ?semi=%3B&dot=.&comma=%2C`,
  'section 3.2.9, queries that go on': `
    {&who} &who=fred | {&half} &half=50%25 | ?fixed=yes{&x} ?fixed=yes&x=1024 | {&x,y,empty} &x=1024&y=768&empty=
    {&x,y,undef} &x=1024&y=768 | {&var:3} &var=val | {&list} &list=red,green,blue
    {&list*} &list=red&list=green&list=blue | {&keys} &keys=semi,%3B,dot,.,comma,%2C
    {&keys*} &semi=%3B&dot=.&comma=%2C`,
  'characters of literals and values': `
    {?caf%C3%A9} ?caf%C3%A9=1 | {caf%c3%a9:1}{&a%20.b*} 2&a%20.b=x&a%20.b=y
    日/{+var} %E6%97%A5/value | %41{var} %41value | {+escaped} %2Fa%25b | {escaped} %252Fa%25b`,
};

describe('RFC 6570: expanding a template', () => {
  const cases = Object.entries(rows).flatMap(([section, table]) =>
    table
      .split(/\||\n/)
      .map((row) => row.trim())
      .filter((row) => row !== '')
      .map((row) => [section, ...row.split(' ')] as [string, string, string]),
  );

  it.each(cases)('%s: %s', (_, template, made) => {
    expect(expandUriTemplate(template, { ...vars, ...escaped })).toBe(made);
  });

  it.each<[string, unknown]>([
    ['a number', 1],
    ['a list with a number', ['a', 1]],
    ['an object with a list', { a: [] }],
    ['half a character', '\ud800'],
  ])('%s is INVALID_PARAMS', (_, v) => {
    expect(() => expandUriTemplate('{v}', { v: v as string })).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS' }),
    );
  });

  it('makes nothing that is too long, and nothing of invalid values', () => {
    expect(() => expandUriTemplate('{v}', { v: 'a'.repeat(8_193) })).toThrow(
      'a URI of 8193 characters is too long',
    );
    expect(() => expandUriTemplate('{v', {})).toThrow(TypeError);
    expect(expandUriTemplate('{toString}{__proto__}', {})).toBe('');
  });

  it('cuts between characters, not within one', () => {
    expect(expandUriTemplate('{v:1}', { v: '😀a' })).toBe('%F0%9F%98%80');
  });
});
