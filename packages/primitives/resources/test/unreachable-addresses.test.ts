import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { once } from '@rxmcp/core';
import { type ResourceDefinition, offerResources, resource, resources, template } from '../src/index.js';
import { unreachableReason } from '../src/offer/offer-resources.js';
import { eras, serve, settled } from './fixture.js';

const modern = eras[0]!;

describe('web addresses', () => {
  it.each([
    'https://example.com/a',
    'https://93.184.216.34/a',
    'https://[2606:2800:220:1::1]/',
    'https://172.32.0.1/',
    'https://{host}/a',
    'https://{sub}.example.com/',
    'https://localhost.example.com/',
    'file:///etc',
    'git://localhost/app.git',
    'httpsx://localhost',
  ])('%s causes no warning', (uri) => expect(unreachableReason(uri)).toBeUndefined());

  it.each([
    ['https://localhost:8443/a', 'within one machine or network'],
    ['HTTPS://LOCALHOST/', 'within one machine or network'],
    ['http://127.0.0.1/', 'within one machine or network'],
    ['https://10.1.2.3/', 'within one machine or network'],
    ['https://172.16.0.1/', 'within one machine or network'],
    ['https://169.254.169.254/latest', 'within one machine or network'],
    ['https://[::1]/', 'within one machine or network'],
    ['https://[fd00::1]/', 'within one machine or network'],
    ['https://wiki/page', 'within one machine or network'],
    ['https://build.internal/{job}', 'within one machine or network'],
    ['https://printer.local./', 'within one machine or network'],
    ['https://ada:secret@example.com/', 'holds a user name'],
    ['https:page', 'names no host'],
    ['https:///page', 'names no host'],
  ])('%s is one', (uri, problem) => expect(unreachableReason(uri)).toContain(problem));

  it('that clients cannot fetch are offered with one warning, and remain readable', async () => {
    const rig = serve(
      offerResources([
        resource('https://example.com/a', {}, 'a'),
        resource('https://wiki/b', {}, 'b'),
        template('https://10.0.0.1/{page}', {}, ({ page }) => page),
      ]),
    );
    const use = resources(await rig.connect(modern));
    expect(await once(use.read('https://wiki/b'))).toMatchObject([{ text: 'b' }]);
    expect(rig.faults).toEqual([
      {
        code: 'URI_UNREACHABLE',
        message:
          'clients may fetch http(s) URIs directly and cannot reach "https://wiki/b" (its host is known within one machine or network only), ' +
          '"https://10.0.0.1/{page}" (its host is known within one machine or network only): use a custom URI scheme for what this server serves',
      },
    ]);
  });

  it('of a live offer are warned of when they come, and once', async () => {
    const all = new Subject<readonly ResourceDefinition[]>();
    const rig = serve(offerResources(all));
    const use = resources(await rig.connect(modern));
    const list = once(use.list());
    await settled();
    all.next([resource('x:a', {}, '')]);
    await list;
    const wiki = resource('https://wiki/b', {}, 'b');
    for (const items of [[wiki], [wiki, resource('x:a', {}, '')], [wiki]]) all.next(items);
    await settled();
    expect(rig.faults.map(({ code }) => code)).toEqual(['URI_UNREACHABLE']);
  });
});
