import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../../../vitest.ports.js';
import { ranLines } from '../docs/shell.js';
import { steps } from './steps.js';

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
  const port = String(await freePort());
  for (const step of steps(text)) {
    if (step.does === 'write') {
      const file = join(folder, step.file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, step.text.replaceAll(':3000/', `:${port}/`));
      continue;
    }
    const ran = await ranLines(step.commands.join('\n'), { cwd: folder, env, installed: true, port });
    for (const [line, { code, told }] of ran)
      if (code !== step.exit) throw new Error(`${line}: exit code ${code}\n${told}`);
    const told = [...ran.values()].map((line) => line.told).join('\n');
    if (!told.includes(step.says))
      throw new Error(
        `${step.commands.join('; ')}: printed ${JSON.stringify(told)}, which lacks ${step.says}`,
      );
    const command = step.commands.at(-1) ?? '';
    if (step.shown !== undefined)
      printed.push({ command, stdout: ran.get(command)?.stdout ?? '', shown: step.shown });
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
