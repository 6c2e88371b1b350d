import { once } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import { offerResources, resource, resources, template, uriTemplate } from '../src/index.js';
import { type Era, eras, serve } from './fixture.js';

const offered = [
  resource('x:known', {}, 'k'),
  template('file:///{path}', {}, ({ path }) => (path === 'notes.txt' ? 'A note.' : null)),
  template('repo://{owner}/{name}/blob/{+path}', {}, ({ path }) => path),
];

describe.each(eras)('an unknown uri, %s %j', (...era: Era) => {
  const missing = era[1][0] === '2026-07-28' ? -32602 : -32002;
  const reading = async (uri: string): Promise<unknown> => {
    const use = resources(await serve(offerResources(offered)).connect(era));
    return once(use.read(uri));
  };

  it.each(['x:unknown', 'x:__proto__', 'file:///gone.txt', 'file:///', 'other://known'])(
    'row 61: %s is missing with the error of the revision, which names it',
    async (uri) => {
      await expect(reading(uri)).rejects.toMatchObject({
        code: missing,
        message: `no resource "${uri}"`,
        data: { uri },
      });
    },
  );

  it('a slash where {path} is one segment is missing with a hint at {+path}', async () => {
    await expect(reading('file:///src/main.rs')).rejects.toMatchObject({
      code: missing,
      message: 'no resource "file:///src/main.rs": {path} is one segment, {+path} would take many',
      data: { uri: 'file:///src/main.rs' },
    });
    await expect(reading('file:///src%2Fmain.rs')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('{+path}') as string,
    });
    expect(() => uriTemplate('file:///{path}').expand({ path: 'src/main.rs' })).toThrow('{+path}');
  });

  it('gives no hint where no template would match it, or one variable matches many already', async () => {
    for (const uri of ['file:///a?b', 'repo://a/b/c/tree/d', 'file:///../etc/passwd'])
      await expect(reading(uri), uri).rejects.toMatchObject({
        message: expect.not.stringContaining('would take many') as string,
      });
  });
});

describe.each(eras)('names with a meaning in JavaScript, %s %j', (...era: Era) => {
  it('row 62: are names like any other, as uris and as variables', async () => {
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const tree = template('x:/{__proto__}', {}, (vars) => Object.entries(vars).flat().join());
    const use = resources(
      await serve(offerResources([tree, resource('x:constructor', {}, 'c')])).connect(era),
    );
    for (const name of odd)
      expect(await once(use.read(`x:/${name}`))).toMatchObject([{ text: `__proto__,${name}` }]);
    expect(await once(use.read('x:constructor'))).toMatchObject([{ text: 'c' }]);
    await expect(once(use.read('x:toString'))).rejects.toMatchObject({ message: 'no resource "x:toString"' });
  });

  it.each(['a\u202eb', 'a\u200bb', '', 'a\u0000b'])(
    'row 62: the name %j is rejected where it is given',
    (name) => {
      expect(() => resource('x:a', { name }, '')).toThrow(TypeError);
      expect(() => template('x:{a}', { name }, () => '')).toThrow(TypeError);
    },
  );
});
