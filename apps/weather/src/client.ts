import process from 'node:process';
import { createInterface } from 'node:readline';
import { connect, textOf } from 'rxmcp';

const [server, ...words] = process.argv.slice(2);
if (server === undefined) {
  console.error('usage: node client.js SERVER.js [OPTIONS OF THE SERVER] [TOOL [NAME=VALUE...]]');
  process.exit(2);
}
const first = words.findIndex((word) => !word.startsWith('--'));
const [options, asked] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];

const remote = await connect({ command: process.execPath, args: [server, ...options] });
const tools = await remote.tools.list();

if (asked.length > 0) {
  if (!(await call(asked))) process.exitCode = 1;
} else {
  for (const { name, description } of tools) print(`${name}: ${description}`);
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() === 'quit') break;
    if (line.trim() !== '') await call(line.trim().split(/\s+/));
    lines.prompt();
  }
}
await remote.close();

/** Calls a tool, prints its result, and returns whether it succeeded. */
async function call([name = '', ...pairs]: readonly string[]): Promise<boolean> {
  try {
    const result = await remote.tools.call(name, argumentsOf(name, pairs));
    print(textOf(result));
    return result.isError !== true;
  } catch (error) {
    print((error as Error).message);
    return false;
  }
}

/** Makes `{ state: 'TX' }` of `state=TX`. What the schema of the tool does not call a string is read as JSON. */
function argumentsOf(name: string, pairs: readonly string[]) {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema;
  const properties = schema?.properties as Record<string, { type?: unknown } | undefined> | undefined;
  const entries = pairs.map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=');
    return [key, properties?.[key]?.type === 'string' ? value : JSON.parse(value)];
  });
  return Object.fromEntries(entries);
}

// Text of a server must not control the terminal.
function print(text: string): void {
  console.log(text.replace(/[^\P{Cc}\n\t]/gu, ''));
}
