// The suite imports `globSync` of `fs`, which is there since Node 22, for a command that is not used here.
import fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) {
  const facade = dataUrl(`
    export * from 'node:fs';
    export { default } from 'node:fs';
    export const globSync = undefined;
  `);
  register(
    dataUrl(`
      export const resolve = (name, context, next) =>
        name === 'fs'
          ? { url: ${JSON.stringify(facade)}, shortCircuit: true }
          : next(name, context);
    `),
  );
}

function dataUrl(code) {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
