import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { textOf } from 'rxmcp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServiceResponse, startService, useWeather } from './service.js';

const path = '/alerts/active/area/TX';
const alertsFailure = 'Unable to fetch alerts or no alerts found.';

async function failedAlerts(response: ServiceResponse): Promise<string> {
  const { remote, logged } = await useWeather({ [path]: response });
  const result = await remote.tools.call('get-alerts', { state: 'TX' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(alertsFailure);
  return logged();
}

describe('a failed fetch is a readable text with isError, and its cause is on standard error', () => {
  it.each<[string, ServiceResponse, string]>([
    ['status 500', (_request, response) => response.writeHead(500).end('{}'), 'status 500'],
    ['HTML', (_request, response) => response.end('<html>\u001b[31m</html>'), 'the body is not JSON'],
    ['no features', { title: 'x' }, 'the response has another form: features: '],
    ['a redirect without a place', (_request, response) => response.writeHead(302).end(), 'status 302'],
    [
      'a circle of redirects',
      (_request, response) => response.writeHead(302, { Location: path }).end(),
      'more than 5 redirects',
    ],
    ['a cut', (request) => request.socket.destroy(), 'fetch failed: '],
  ])('%s', async (_name, response, cause) => {
    expect(await failedAlerts(response)).toContain(`GET "${path}" failed: ${cause}`);
  });

  it('a redirect to another origin, which receives no request', async () => {
    const elsewhere = await startService({ [path]: { features: [] } });
    const Location = `${elsewhere.origin}${path}`;
    const logged = await failedAlerts((_request, response) => response.writeHead(307, { Location }).end());
    expect(logged).toContain(`the URL has another origin, ${elsewhere.origin}`);
    expect(elsewhere.requests).toEqual([]);
  });

  it('a body of more than 2 MiB, whose rest is not read', async () => {
    let closed: Promise<unknown> | undefined;
    const logged = await failedAlerts((_request, response) => {
      closed = once(response, 'close');
      endlessly(response);
    });
    expect(logged).toContain('the body has more than 2097152 bytes');
    await closed;
  });

  it('a body that is slower than 30 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const logged = await failedAlerts((_request, response) => {
      response.write('{"features":', () => vi.advanceTimersByTime(30_000));
    });
    expect(logged).toContain('no response within 30000 ms');
  });
});

describe('get-forecast', () => {
  const place = { latitude: 51.5072, longitude: -0.1276 };
  const point = '/points/51.5072,-0.1276';

  it.each<[string, Readonly<Record<string, ServiceResponse>>, string]>([
    ['a place outside the US', {}, 'Unable to fetch forecast data for this location.'],
    [
      'a place without a forecast',
      { [point]: { properties: {} } },
      'Unable to fetch forecast data for this location.',
    ],
    [
      'a forecast at no URL',
      { [point]: { properties: { forecast: 'forecast' } } },
      'Unable to fetch forecast data for this location.',
    ],
    [
      'a forecast that is a file',
      { [point]: { properties: { forecast: 'file:///etc/passwd' } } },
      'Unable to fetch detailed forecast.',
    ],
  ])('%s is a readable text with isError', async (_name, responses, text) => {
    const { remote } = await useWeather(responses);
    const result = await remote.tools.call('get-forecast', place);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(text);
  });

  it('a forecast that is missing is a readable text with isError', async () => {
    const { remote } = await useWeather((origin) => ({
      [point]: (_request, response) =>
        response.end(JSON.stringify({ properties: { forecast: `${origin()}/missing` } })),
    }));
    const result = await remote.tools.call('get-forecast', place);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Unable to fetch detailed forecast.');
  });
});

it('cancelling a call aborts its request, and logs nothing', async () => {
  const cancel = new AbortController();
  let arrive: (response: ServerResponse) => void = () => undefined;
  const arrived = new Promise<ServerResponse>((resolve) => (arrive = resolve));
  const { remote, logged } = await useWeather({
    [path]: (_request, response) => {
      response.write('{');
      arrive(response);
    },
  });
  const call = remote.tools.call('get-alerts', { state: 'TX' }, { signal: cancel.signal });
  const rejected = expect(Promise.resolve(call)).rejects.toThrow();
  const response = await arrived;
  const closed = once(response, 'close');
  cancel.abort();
  await rejected;
  await closed;
  expect(logged()).toBe('');
});

/** Writes until the reader closes the connection. */
function endlessly(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(' '.repeat(65_536), () => endlessly(response));
}
