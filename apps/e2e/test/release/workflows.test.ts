import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repository } from '../repository.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number>>;
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'timeout-minutes'?: number;
        readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const folder = join(repository, '.github');
const read = (path: string): unknown => parse(readFileSync(join(folder, path), 'utf8'));
const names = readdirSync(join(folder, 'workflows'));
const workflow = (name: string): Workflow => read(`workflows/${name}`) as Workflow;
const stepsOf = (name: string): Step[] => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);
const { scripts, engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

describe.each(names)('the workflow %s', (name) => {
  it('runs scripts of this workspace', () => {
    const lines = stepsOf(name).flatMap((step) => [step.run, step.with?.['version'], step.with?.['publish']]);
    const commands = lines.filter((line) => line !== undefined).map(String);
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const script = /^npm (?:run )?([\w:]+)$/.exec(command)?.[1];
      expect(Object.keys(scripts), command).toContain(script);
    }
  });

  it('has a limit for every job, and permissions', () => {
    for (const job of Object.values(workflow(name).jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
    expect(workflow(name).permissions).toBeDefined();
  });

  it('uses actions with a version', () => {
    for (const { uses } of stepsOf(name))
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  });
});

it('CI tests three systems with three versions of Node, from the lowest on', () => {
  const { os, node } = workflow('ci.yml').jobs['test']?.strategy?.matrix ?? {};
  expect(os?.map((system) => String(system).split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
  expect(node).toEqual([20, 22, 24]);
  expect(engines.node).toBe('>=20.19');
});

it('a release is signed with the identity of its workflow', () => {
  expect(workflow('release.yml').permissions).toMatchObject({ 'id-token': 'write' });
  const action = stepsOf('release.yml').find(({ uses }) => uses?.startsWith('changesets/action@') === true);
  expect(action?.with).toMatchObject({ publish: 'npm run release', version: 'npm run release:version' });
});

describe.each(['bug.yml', 'feature.yml'])('the issue form %s', (name) => {
  interface Field {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly options?: readonly string[] };
  }
  const form = read(`ISSUE_TEMPLATE/${name}`) as {
    readonly name: string;
    readonly description: string;
    readonly body: readonly Field[];
  };

  it('has what GitHub asks for', () => {
    expect(form.name).not.toBe('');
    expect(form.description).not.toBe('');
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    for (const { type, attributes } of fields) {
      expect(['textarea', 'input', 'dropdown']).toContain(type);
      expect(attributes.label).toMatch(/\S/);
      expect(attributes.options === undefined).toBe(type !== 'dropdown');
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });
});
