import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openInBrowser } from '../src/node.js';

/** Runs programs of an empty folder first, or only those. */
async function programs(isOnly: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-browser-'));
  const { PATH } = process.env;
  process.env['PATH'] = isOnly ? folder : `${folder}${delimiter}${PATH ?? ''}`;
  onTestFinished(async () => {
    process.env['PATH'] = PATH;
    await rm(folder, { recursive: true });
  });
  return folder;
}

describe.runIf(process.platform === 'linux')('the browser of the system', () => {
  it.each(['https://login.example/?a=1&b=$(c)', 'http://127.0.0.1:8/'])('opens %s', async (address) => {
    const folder = await programs(false);
    const log = join(folder, 'opened');
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${log}.part" && mv "${log}.part" "${log}"\n`;
    await writeFile(join(folder, 'xdg-open'), script, { mode: 0o755 });
    openInBrowser(new URL(address));
    const opened = (): Promise<string> => readFile(log, 'utf8');
    await vi.waitFor(opened);
    expect(await opened()).toBe(`${address}\n`);
  });

  it('is replaced by a message where no program opens addresses', async () => {
    await programs(true);
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void write.mockRestore());
    openInBrowser(new URL('https://login.example/'));
    await vi.waitUntil(() => write.mock.calls.length > 0);
    expect(write).toHaveBeenCalledWith('open this address to sign in:\nhttps://login.example/\n');
  });
});

it.each(['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x'])('%s is not opened', (address) => {
  expect(() => openInBrowser(new URL(address))).toThrow('addresses are not opened in a browser');
});
