import process from 'node:process';
import { readSetting } from './client/setting.js';
import { scenarioOf } from './client/scenarios.js';

const setting = readSetting(process.argv.slice(2), process.env);
const act = setting === undefined ? undefined : scenarioOf(setting.scenario);
if (setting === undefined) {
  console.error('usage: MCP_CONFORMANCE_SCENARIO=NAME node client.js URL');
  process.exitCode = 2;
} else if (act === undefined) {
  console.error(`no handler for the scenario "${setting.scenario}"`);
  process.exitCode = 2;
} else {
  // The process is not ended explicitly: nothing may be left open when the scenario ends.
  await act(setting);
}
