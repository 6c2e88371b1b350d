import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const start = promisify(execFile);

/** Builds the sources to where `import '@rxmcp/jsonrpc'` finds them; gives the folder to run programs in. */
export async function installed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-jsonrpc-'));
  const target = join(folder, 'node_modules/@rxmcp/jsonrpc');
  await mkdir(target, { recursive: true });
  await writeFile(
    join(target, 'package.json'),
    '{"type":"module","exports":{".":"./index.js","./internal":"./internal.js"}}',
  );
  const cli = join(root, 'node_modules/tsup/dist/cli-default.js');
  await start(process.execPath, [cli, '--out-dir', target, '--no-clean'], { cwd: root });
  return folder;
}

/** Runs a program in the folder and gives its stdout; rejects when it fails. */
export async function run(folder: string, program: string, ...flags: readonly string[]): Promise<string> {
  await writeFile(join(folder, 'program.mjs'), program);
  const { stdout } = await start(process.execPath, [...flags, 'program.mjs'], { cwd: folder });
  return stdout;
}
