import { expect, it, onTestFinished } from 'vitest';
import { carries, joins } from './joins.js';
import { scene, versions } from './scenes.js';

it.each(Object.keys(joins))('the documented features of %s are those of its connections', async (name) => {
  const transport = await joins[name]?.(scene().server, onTestFinished);
  const connection = await transport?.dial();
  onTestFinished(() => connection?.close());
  const nothing = () => undefined;
  connection?.start({ received: nothing, laneClosed: nothing, fault: nothing, closed: nothing });
  const stated = connection?.traits.versions ?? versions;
  expect(versions.filter((version) => carries(name, version))).toEqual(
    versions.filter((version) => stated.includes(version)),
  );
});
