import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { sealer } from '../../src/eras/modern/seal.js';

it('a state is bound to method, principal and parameters; a forged one does not make the parameters be read', async () => {
  const { seal, open } = sealer(undefined, 10_000);
  let reads = 0;
  const params = new Proxy({ a: 1 }, { ownKeys: (target) => ((reads += 1), Reflect.ownKeys(target)) });
  const binding = { method: 'tools/call', principal: 'ada', params };
  const sealed = await seal({ round: 3 }, binding);
  expect(await open(sealed, binding)).toMatchObject({ round: 3 });
  expect(await open(sealed, { ...binding, params: { a: 1, requestState: sealed, _meta: {} } })).toMatchObject(
    {
      round: 3,
    },
  );
  for (const other of [
    { ...binding, method: 'prompts/get' },
    { ...binding, principal: 'bob' },
    { ...binding, principal: undefined },
    { ...binding, params: { a: 2 } },
  ])
    await expect(open(sealed, other)).rejects.toThrow('"requestState" is rejected');
  reads = 0;
  const forged = Buffer.from(sealed, 'base64url');
  forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
  await expect(open(forged.toString('base64url'), binding)).rejects.toThrow('"requestState" is rejected');
  expect(reads).toBe(0);
});
