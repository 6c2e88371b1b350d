import { connect, textOf } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { expect, it, onTestFinished, vi } from 'vitest';
import { recordedFetch } from '../src/recorded.js';
import { weatherServer } from '../src/server.js';

async function call(name: string, args: Readonly<Record<string, string | number>>) {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => error.mockRestore());
  const link = memory();
  const handle = link.serve(weatherServer({ fetch: recordedFetch }));
  const remote = await connect(link);
  onTestFinished(async () => {
    await remote.close();
    await handle.close();
  });
  const result = await remote.tools.call(name, args);
  return { isError: result.isError === true, text: textOf(result) };
}

it.each([
  ['Sacramento', { latitude: 38.5816, longitude: -121.4944 }],
  ['a place near it', { latitude: 38.58, longitude: -121.47 }],
])('has the forecast of %s', async (_name, place) => {
  const { isError, text } = await call('get-forecast', place);
  expect(isError).toBe(false);
  expect(text.split('\n---\n')).toHaveLength(5);
  expect(text).toContain(
    'Today:\nTemperature: 72°F\nWind: 5 to 10 mph SW\nForecast: Sunny, with a high near 72.',
  );
});

it('has alerts in Texas and none in California', async () => {
  const { text } = await call('get-alerts', { state: 'TX' });
  expect(text).toContain('Event: Heat Advisory');
  expect(text).toContain('Instructions: No specific instructions provided');
  expect(await call('get-alerts', { state: 'CA' })).toEqual({
    isError: false,
    text: 'No active alerts for this state.',
  });
});

it.each([
  [
    'get-forecast',
    { latitude: 51.5072, longitude: -0.1276 },
    'Unable to fetch forecast data for this location.',
  ],
  ['get-alerts', { state: 'WY' }, 'Unable to fetch alerts or no alerts found.'],
])('has a failure of %s for %j', async (name, args, text) => {
  expect(await call(name, args)).toEqual({ isError: true, text });
});
