import { expect, it, onTestFinished } from 'vitest';
import { connectedPair } from '@rxmcp/testing';
import { offerResources, resource, resources, template } from '../src/index.js';

const weather = template(
  'weather://{city}{?day}',
  { name: 'weather' },
  ({ city, day }) => `${city} ${day ?? 'now'}`,
);
const motto = resource('text://motto', { name: 'motto' }, 'Be brief.');

it('a template that both sides share reads with its variables', async () => {
  const { remote } = await connectedPair({
    server: [offerResources([motto]), offerResources([weather])],
    onCleanup: onTestFinished,
  });
  const use = resources(remote);
  expect(await use.read(weather, { city: 'Oslo' })).toMatchObject([
    { uri: 'weather://Oslo', text: 'Oslo now' },
  ]);
  expect(await use.read(weather, { city: 'Oslo', day: 'fri' })).toMatchObject([{ text: 'Oslo fri' }]);
  expect(weather.expand({ city: 'São Paulo' })).toBe('weather://S%C3%A3o%20Paulo');
  expect(await use.read('text://motto')).toMatchObject([{ text: 'Be brief.' }]);
  expect((await use.list()).length + (await use.templates()).length).toBe(2);
  // @ts-expect-error the city is missing
  await expect(use.read(weather, { day: 'fri' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
