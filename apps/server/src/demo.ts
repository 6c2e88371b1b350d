import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Built, inMemory, overMessagePort, overNetwork, overStdio } from './demo/links.js';
import { isPrimitive, type Primitive, primitives } from './demo/served.js';
import { report } from './demo/report.js';
import { repositoryLine } from './demo/repository-line.js';
import { runDemo } from './demo/run-demo.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const broken = readBroken();
if (broken !== false) {
  if (broken !== undefined) console.log(`broken on purpose: ${broken}`);
  const rows = await runDemo(everyTransport(), { broken });
  const { lines, good } = report(rows);
  console.log(await repositoryLine(here('../../..')));
  console.log('');
  for (const line of lines) console.log(line);
  process.exitCode = good ? 0 : 1;
}

function everyTransport(): readonly Built[] {
  const stdio = overStdio(here('./demo-child.js'));
  return [inMemory, stdio, ...overNetwork, overMessagePort(here('./demo-worker.js'))];
}

function readBroken(): Primitive | undefined | false {
  try {
    const { values } = parseArgs({ options: { break: { type: 'string' } } });
    const { break: name } = values;
    if (name === undefined || isPrimitive(name)) return name;
    console.error(`--break ${JSON.stringify(name)}: there is only ${primitives.join(', ')}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  console.error('usage: demo.js [--break PRIMITIVE]');
  process.exitCode = 2;
  return false;
}
