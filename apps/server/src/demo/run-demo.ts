import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EraId } from 'rxmcp';
import type { Traits, Transport } from 'rxmcp/transport';
import type { Feature } from './cell.js';
import type { Built } from './links.js';
import type { Primitive } from './served.js';
import { openStage, type Stage } from './stage.js';
import { askingCells } from './cells/asking-cells.js';
import { otherCells } from './cells/other-cells.js';
import { resourceCells } from './cells/resource-cells.js';
import { toolCells } from './cells/tool-cells.js';

/** The columns of the table. */
export const features: readonly Feature[] = [...toolCells, ...resourceCells, ...askingCells, ...otherCells];

/** The eras, each by its newest revision. */
const eras: readonly { readonly era: EraId; readonly version: string }[] = [
  { era: 'modern', version: '2026-07-28' },
  { era: 'legacy', version: '2025-11-25' },
];

/** Options of {@link runDemo}. */
interface DemoOptions {
  /** Makes one primitive fail. @default none */
  readonly broken?: Primitive | undefined;
  /** How long a cell may take, in milliseconds. @default 6_000 */
  readonly cellMs?: number;
}

/** One row of the table: what became of each feature, by its name; a feature that is not carried is not in it. */
export interface Row {
  readonly transport: string;
  readonly version: string;
  /** How many features the traits of the transport allow in this era. */
  readonly allowed: number;
  readonly cells: ReadonlyMap<string, 'passed' | Error>;
}

/** Tries every feature over every transport, in each era that it supports, on a temporary folder. */
export async function runDemo(built: readonly Built[], options: DemoOptions = {}): Promise<readonly Row[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `rxmcp-demo-${process.pid}-`)));
  try {
    return await inTurn(built, (each) => rowsOf(each, join(folder, each.name), options));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** So many transports at a time; all at once would make each wait for the processor. */
const atATime = 3;

async function inTurn(
  built: readonly Built[],
  rowsOfOne: (built: Built) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows = new Map<Built, readonly Row[]>();
  const waiting = built.values();
  const lane = async (): Promise<void> => {
    for (const each of waiting) rows.set(each, await rowsOfOne(each));
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return built.flatMap((each) => rows.get(each) ?? []);
}

async function rowsOf(built: Built, folder: string, options: DemoOptions): Promise<readonly Row[]> {
  const { broken } = options;
  const traits = await traitsOf(built, folder);
  const carried = eras.filter(({ version }) => traits.versions?.includes(version) ?? true);
  const rows: Row[] = [];
  for (const { era, version } of carried) {
    const allowed = features.filter((feature) => feature.carried(traits, era));
    const own = join(folder, version);
    await mkdir(own, { recursive: true });
    const link = await built.open(own, broken);
    try {
      const cells = await tried(allowed, link.transport, { ...options, era, version, folder: own });
      rows.push({ transport: built.name, version, allowed: allowed.length, cells });
    } finally {
      await link.close();
    }
  }
  return rows;
}

/** What a transport says of itself, before anything is tried. */
async function traitsOf(built: Built, folder: string): Promise<Traits> {
  await mkdir(folder, { recursive: true });
  const link = await built.open(folder, undefined);
  try {
    const connection = await link.transport.dial();
    await connection.close();
    return connection.traits;
  } finally {
    await link.close();
  }
}

async function tried(
  allowed: readonly Feature[],
  transport: Transport,
  options: DemoOptions & { era: EraId; version: string; folder: string },
): Promise<ReadonlyMap<string, 'passed' | Error>> {
  const cells = new Map<string, 'passed' | Error>();
  const { broken, cellMs = 6_000 } = options;
  const stage = await openStage({ transport, ...options, broken });
  try {
    for (const feature of allowed) cells.set(feature.name, await outcome(feature, stage, cellMs));
  } finally {
    await stage.close();
  }
  return cells;
}

async function outcome(feature: Feature, stage: Stage, cellMs: number): Promise<'passed' | Error> {
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    alarm = setTimeout(() => reject(new Error(`nothing came back within ${cellMs} ms`)), cellMs);
  });
  try {
    await Promise.race([feature.run(stage), late]);
    return 'passed';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(alarm);
  }
}
