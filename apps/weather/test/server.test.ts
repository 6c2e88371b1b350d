import { textOf } from 'rxmcp';
import { describe, expect, it } from 'vitest';
import { startService, useWeather } from './service.js';

const full = {
  event: 'Heat Advisory',
  areaDesc: 'Travis',
  severity: 'Moderate',
  description: 'Hot.',
  instruction: 'Drink water.',
};
const text = (properties: object) => ({ features: [{ properties: full }, { properties }] });
const heat =
  'Event: Heat Advisory\nArea: Travis\nSeverity: Moderate\nDescription: Hot.\nInstructions: Drink water.';
const unknown =
  'Event: Unknown\nArea: Unknown\nSeverity: Unknown\nDescription: No description available\nInstructions: No specific instructions provided';

describe('get-alerts', () => {
  it('asks for the area as the service demands it', async () => {
    const { remote, requests } = await useWeather({ '/alerts/active/area/TX': { features: [] } });
    expect(textOf(await remote.tools.call('get-alerts', { state: 'TX' }))).toBe(
      'No active alerts for this state.',
    );
    const [{ method, headers } = {}] = requests;
    expect(method).toBe('GET');
    expect(headers).toMatchObject({ 'user-agent': 'weather-app/1.0', accept: 'application/geo+json' });
  });

  it('no alerts is a result, not an error', async () => {
    const { remote } = await useWeather({ '/alerts/active/area/TX': { features: [] } });
    expect((await remote.tools.call('get-alerts', { state: 'tx' })).isError).not.toBe(true);
  });

  it.each([
    ['are missing', {}],
    ['are null', { event: null, areaDesc: null, severity: null, description: null, instruction: null }],
    ['are empty', { event: '', areaDesc: '', severity: '', description: '', instruction: '' }],
    ['have another type', { event: 1, areaDesc: [], severity: {}, description: true, instruction: 0 }],
  ])('has fallbacks for fields that %s', async (_how, properties) => {
    const { remote } = await useWeather({ '/alerts/active/area/TX': text(properties) });
    expect(textOf(await remote.tools.call('get-alerts', { state: 'TX' }))).toBe(`${heat}\n---\n${unknown}`);
  });

  it.each(['T', 'TEX', '12', '', 'T/', 'TX\n'])('rejects the state %j without a request', async (state) => {
    const { remote, requests } = await useWeather({});
    const result = await remote.tools.call('get-alerts', { state });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('expected two letters, such as "TX"');
    expect(requests).toEqual([]);
  });
});

const period = (name: string, more: object = {}) => ({
  name,
  temperature: 0,
  temperatureUnit: 'C',
  windSpeed: '5 mph',
  windDirection: 'SW',
  detailedForecast: 'Clear.',
  ...more,
});
const periodText = (name: string): string => `${name}:\nTemperature: 0°C\nWind: 5 mph SW\nForecast: Clear.`;
const forecastPath = '/gridpoints/STO/41,68/forecast';
const sacramento = { latitude: 38.58, longitude: -121.49 };

function useForecast(periods: readonly object[]) {
  return useWeather((origin) => ({
    '/points/38.58,-121.49': (_request, response) =>
      response.end(JSON.stringify({ properties: { forecast: `${origin()}${forecastPath}` } })),
    [forecastPath]: { properties: { periods } },
  }));
}

describe('get-forecast', () => {
  it('asks for the place, then for its forecast, and returns the first 5 periods', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const { remote, requests } = await useForecast(names.map((name) => period(name)));
    expect(textOf(await remote.tools.call('get-forecast', sacramento))).toBe(
      names.slice(0, 5).map(periodText).join('\n---\n'),
    );
    expect(requests.map(({ url }) => url)).toEqual(['/points/38.58,-121.49', forecastPath]);
    for (const { headers } of requests)
      expect(headers).toMatchObject({ 'user-agent': 'weather-app/1.0', accept: 'application/geo+json' });
  });

  it('has fallbacks for missing fields', async () => {
    const { remote } = await useForecast([{}]);
    expect(textOf(await remote.tools.call('get-forecast', sacramento))).toBe(
      'Unknown:\nTemperature: Unknown\nWind: Unknown\nForecast: No forecast available',
    );
  });

  it('no periods is a result, not an error', async () => {
    const { remote } = await useForecast([]);
    const result = await remote.tools.call('get-forecast', sacramento);
    expect(textOf(result)).toBe('No forecast periods available.');
    expect(result.isError).not.toBe(true);
  });

  it('follows a redirect of the same origin', async () => {
    const { remote, requests } = await useWeather((origin) => ({
      '/points/38.58161,-121.49': (_request, response) =>
        response.writeHead(301, { Location: '/points/38.5816,-121.49' }).end(),
      '/points/38.5816,-121.49': (_request, response) =>
        response.end(JSON.stringify({ properties: { forecast: `${origin()}${forecastPath}` } })),
      [forecastPath]: { properties: { periods: [period('now')] } },
    }));
    const result = await remote.tools.call('get-forecast', { latitude: 38.58161, longitude: -121.49 });
    expect(textOf(result)).toBe(periodText('now'));
    expect(requests).toHaveLength(3);
  });

  it.each([
    { latitude: 90.1, longitude: 0 },
    { latitude: -90.1, longitude: 0 },
    { latitude: 0, longitude: 180.1 },
    { latitude: 0, longitude: -180.1 },
    { latitude: '38.58', longitude: 0 },
  ])('rejects %j without a request', async (place) => {
    const { remote, requests } = await useWeather({});
    expect((await remote.tools.call('get-forecast', place)).isError).toBe(true);
    expect(requests).toEqual([]);
  });

  it('never sends a request to another origin', async () => {
    const elsewhere = await startService({ '/forecast': { properties: { periods: [period('now')] } } });
    const { remote, logged } = await useWeather({
      '/points/38.58,-121.49': { properties: { forecast: `${elsewhere.origin}/forecast` } },
    });
    const result = await remote.tools.call('get-forecast', sacramento);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'Unable to fetch detailed forecast.' }],
    });
    expect(elsewhere.requests).toEqual([]);
    expect(logged()).toContain(`the URL has another origin, ${elsewhere.origin}`);
  });
});
