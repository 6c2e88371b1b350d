import type { JsonObject, Offer, Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { defineOffer } from '@rxmcp/core/internal';
import { offerCompletion, filterByPrefix } from 'rxmcp/completion';
import { offerResources, resource, template } from 'rxmcp/resources';

const files = new Map([
  ['notes.txt', 'A note.'],
  ['notes.old.txt', 'An old note.'],
  ['说明.md', '# 说明'],
]);

/** Files that are on no disk, a repository, a page of the web, hints on each; with `wrong`, invalid hints. */
export function paths({ wrong }: JsonObject): Server {
  const info = { name: 'paths', version: '1.0.0' };
  if (wrong === true) return defineServer({ info, offers: [wrongHints()] });
  const all = [
    resource(
      'git://example.com/app.git?ref=main',
      {
        name: 'app',
        annotations: { audience: ['assistant'], priority: 0.4, lastModified: '2025-03-01T00:00:00Z' },
      },
      'commit 1',
    ),
    resource(
      'https://example.com/guide',
      { name: 'guide', mimeType: 'text/html', annotations: { audience: ['user'], priority: 1 } },
      '<h1>Guide</h1>',
    ),
    resource(
      'https://wiki/inside',
      { name: 'wiki', size: 6, annotations: { priority: 0.7, lastModified: '2025-02-01' } },
      'inside',
    ),
    template('file:///{path}', { name: 'Project Files' }, ({ path }) => files.get(path) ?? null),
  ];
  const completion = offerCompletion({
    templates: { 'file:///{path}': { path: (typed) => filterByPrefix(typed, [...files.keys()]) } },
  });
  return defineServer({ info, offers: [offerResources(all), completion] });
}

function wrongHints(): Offer {
  const resources = [
    { uri: 'x:a', name: 'a', annotations: { audience: ['robot'], priority: 0.5 } },
    { uri: 'x:b', name: 'b', size: 1.5, annotations: { priority: 2, audience: ['user'] } },
  ];
  return defineOffer({
    name: 'wrong',
    side: 'server',
    capabilities: { resources: {} },
    methods: [{ method: 'resources/list', handle: () => ({ resources }) }],
  });
}
