import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';
import { docs } from './page.js';

const run = promisify(execFile);

/** The template of docs/testing.md is started as its reader starts it. Needs a build. */
describe('the template of a tested server', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-docs-'));
    cpSync(join(docs, 'testing-a-server'), folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // A test runner makes its child processes report to it.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const npmTest = async (over?: string): Promise<string> => {
    const more = over === undefined ? {} : { OVER: over };
    const { stdout } = await run('npm', ['test', '--', '--test-reporter=tap'], {
      cwd: folder,
      env: { ...env, ...more },
      timeout: 100_000,
    });
    return stdout;
  };

  // In `npm test` over the transport that its parameter names, else over both.
  const tried = exhaustive ? ['http', 'ws'] : ['ws'];
  it('passes over its transports, each kind of test', async () => {
    const told = await npmTest(exhaustive ? undefined : 'ws');
    expect(told).toMatch(/^# fail 0$/m);
    expect(told).toMatch(/^# skipped 0$/m);
    for (const over of tried) {
      for (const kind of [
        'with the real warehouse',
        'with a stand-in',
        'leads out of its place',
        '1000 orders',
        'stays inside',
      ]) {
        expect(
          told.split('\n').some((line) => /^ok /.test(line) && line.includes(kind) && line.includes(over)),
        ).toBe(true);
      }
    }
    if (!exhaustive) expect(told).not.toContain('over http');
    expect(told).toMatch(/^ok \d+ - the tool says the price$/m);
  });

  if (exhaustive)
    it('takes one transport by its parameter', async () => {
      const told = await npmTest('ws');
      expect(told).toMatch(/^# fail 0$/m);
      expect(told).not.toContain('over http');
    });
});
