import { expect, it } from 'vitest';
import { readPromise } from './readme.js';

const install = '```sh\nnpm i -D @rxmcp/tools@0.1.0 rxjs # both\n```\n';
const server = '```js title="server.mjs"\nserve();\n```\n';
const example = '```js title="example.mjs"\nconsole.log(1);\n```\n';
const output = '```text title="output"\n1\n```\n';

it('reads the install line, the files and the output', () => {
  const promise = readPromise(
    `# Tools\n${install}\n${server}\n\`\`\`js\nignored();\n\`\`\`\n${example}${output}`,
  );
  expect(promise.install).toEqual(['@rxmcp/tools', 'rxjs']);
  expect(promise.example).toBe('example.mjs');
  expect([...promise.files]).toEqual([
    ['server.mjs', 'serve();\n'],
    ['example.mjs', 'console.log(1);\n'],
  ]);
  expect(promise.output).toBe('1\n');
});

it.each([
  ['npm i', example + output],
  ['example.mjs', install + output],
  ['output', install + example],
])('reports that %s is missing', (missing, readme) => {
  expect(() => readPromise(readme)).toThrow(missing);
});
