// The suite starts a client for each scenario at once. Each waits here for one of two turns, which are entries of the folder that
// the query of this module's URL names, so that a machine with two cores can run them.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

const folder = new URL(import.meta.url).searchParams.get('folder');
const turns = ['one', 'two'].map((name) => join(folder, name));

function take() {
  return turns.find((turn) => {
    try {
      mkdirSync(turn);
      return true;
    } catch {
      return false;
    }
  });
}

let turn = take();
for (; turn === undefined; turn = take()) await setTimeout(200);
const taken = turn;
process.once('exit', () => rmSync(taken, { recursive: true }));
