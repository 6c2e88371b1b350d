import { createServer, tool, type Server } from 'rxmcp';
import * as z from 'zod';
import { alerts, alertText, forecast, periodText, point } from './responses.js';
import { getFrom, type WeatherSource } from './nws.js';
import { version } from './version.js';

const readOnly = { readOnlyHint: true, openWorldHint: true };
const state = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'expected two letters, such as "TX"')
  .describe('Two-letter code of a US state, such as CA or NY');
const latitude = z.number().min(-90).max(90).describe('Latitude in degrees, such as 38.58');
const longitude = z.number().min(-180).max(180).describe('Longitude in degrees, such as -121.49');

/** Returns the weather server of the MCP quickstart, with the tools `get-alerts` and `get-forecast`. */
export function weatherServer(source?: WeatherSource): Server {
  const get = getFrom(source);

  const getAlerts = tool(
    'get-alerts',
    {
      description: 'Returns the active weather alerts of a US state.',
      input: z.object({ state }),
      annotations: readOnly,
    },
    async ({ state }, { signal }) => {
      const failure = 'Unable to fetch alerts or no alerts found.';
      const path = `/alerts/active/area/${state.toUpperCase()}`;
      const { features } = await get(path, alerts, { signal, failure });
      return features.map(alertText).join('\n---\n') || 'No active alerts for this state.';
    },
  );

  const getForecast = tool(
    'get-forecast',
    {
      description: 'Returns the weather forecast for a place in the US.',
      input: z.object({ latitude, longitude }),
      annotations: readOnly,
    },
    async ({ latitude, longitude }, { signal }) => {
      const here = await get(`/points/${latitude},${longitude}`, point, {
        signal,
        failure: 'Unable to fetch forecast data for this location.',
      });
      const { properties } = await get(here.properties.forecast, forecast, {
        signal,
        failure: 'Unable to fetch detailed forecast.',
      });
      return (
        properties.periods.slice(0, 5).map(periodText).join('\n---\n') || 'No forecast periods available.'
      );
    },
  );

  return createServer({ name: 'weather', version, tools: [getAlerts, getForecast] });
}
