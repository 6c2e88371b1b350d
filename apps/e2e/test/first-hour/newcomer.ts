import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { type Block, blocksOf } from '../docs/page.js';
import { ranLines } from '../docs/shell.js';

/** What the newcomer does with a page. */
export interface Session {
  /** The folder of the session. It is empty, unless `setUp` made it. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One command whose output the page shows. */
export interface Printed {
  readonly command: string;
  readonly stdout: string;
  readonly shown: string;
}

/**
 * Follows the text of a page from top to bottom, as one who sees only the rendered page: writes each block of code to the file that the
 * prose before it names, runs each command, and returns what the commands print next to what the page shows.
 * @throws an Error for a block whose file the prose does not name, and for a command that fails
 */
export async function follow(text: string, { folder, env }: Session): Promise<Printed[]> {
  const printed: Printed[] = [];
  const port = await freePort();
  const place = { cwd: folder, env, installed: true, port };
  for (const block of blocksOf(text)) {
    const { title } = block.says;
    if (block.language === 'console' || block.language === 'sh') {
      const { exit = '0', says } = block.says;
      const ran = await ranLines(block.text, place);
      for (const [line, { code, told }] of ran)
        if (code !== Number(exit)) throw new Error(`${line}: exit code ${code}\n${told}`);
      const told = [...ran.values()].map((line) => line.told).join('\n');
      if (says !== undefined && !told.includes(says))
        throw new Error(`${block.text.trim()}: printed ${JSON.stringify(told)}, which lacks ${says}`);
    } else if (title !== undefined && /(?:^|\/)output$/.test(title)) {
      const commands = commandsOf(block);
      const ran = await ranLines(commands.join('\n'), place);
      for (const [line, { code, told }] of ran)
        if (code !== 0) throw new Error(`${line}: exit code ${code}\n${told}`);
      const command = commands.at(-1) ?? '';
      printed.push({ command, stdout: ran.get(command)?.stdout ?? '', shown: block.text });
    } else {
      const file = join(folder, fileOf(block));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block.text.replaceAll(':3000/', `:${port}/`));
    }
  }
  return printed;
}

/** Returns a part of a page: from a heading to the next one of the same level. */
export function section(text: string, heading: string): string {
  const found = new RegExp(`^## ${heading}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`the page has no section "${heading}"`);
  return found;
}

/** Makes a folder in which the set-up of another one was done. What is installed there is not installed in that one. */
export function copySetUp(from: string, to: string, shared: boolean): void {
  mkdirSync(to, { recursive: true });
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
  for (const file of files) if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file));
  const [source, target] = [join(from, 'node_modules'), join(to, 'node_modules')];
  if (shared) symlinkSync(source, target, 'junction');
  else cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}

/** Returns the version of a package that is installed in a folder. */
export function installedVersion(folder: string, name: string): string {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The name of the file of a block: the last code in the prose before it that its title ends with. */
function fileOf({ before, says: { title = '' }, text }: Block): string {
  const name = codeOf(before).findLast((code) => title === code || title.endsWith(`/${code}`));
  if (name === undefined)
    throw new Error(`the prose before a block does not name its file ${title}:\n${text.slice(0, 200)}`);
  return name;
}

/** The commands of the paragraph before an output, as in "`npx tsc && node main.js` prints". */
function commandsOf({ before, text }: Block): string[] {
  const paragraph =
    before
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  const commands = codeOf(paragraph).filter((code) => /^(?:node|npx|npm) /.test(code));
  if (commands.length === 0) throw new Error(`the paragraph before an output has no command:\n${text}`);
  return commands;
}

function codeOf(prose: string): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
