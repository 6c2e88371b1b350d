import { BehaviorSubject, map } from 'rxjs';
import type { Server } from 'rxmcp';
import { defineServer, offerMethod } from 'rxmcp';
import { offerResources, resource, template } from 'rxmcp/resources';

/** A GIF of one pixel. */
export const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

/** Text, binary, a directory, a live log, and schemes of the server's own. */
export function shelf(): Server {
  const lines = new BehaviorSubject<readonly string[]>(['服务已启动']);
  const schema = { tables: { customers: ['id', '姓名'] } };
  const all = [
    resource('file:///shelf/readme.txt', { mimeType: 'text/plain' }, '书架说明'),
    resource('file:///shelf/pixel.gif', { mimeType: 'image/gif' }, new Uint8Array(pixel)),
    resource('file:///shelf/', { name: 'shelf', mimeType: 'inode/directory' }, [
      { uri: 'file:///shelf/readme.txt', mimeType: 'text/plain', text: '书架说明' },
      { uri: 'file:///shelf/pixel.gif', mimeType: 'image/gif', blob: new Uint8Array(pixel) },
    ]),
    template('logs://recent{?timeframe}', { mimeType: 'text/plain' }, ({ timeframe }) =>
      lines.pipe(map((now) => [`timeframe=${timeframe ?? 'all'}`, ...now].join('\n'))),
    ),
    template('postgres://database/{table}/schema', { mimeType: 'application/json' }, ({ table }) =>
      table === 'customers' ? JSON.stringify(schema.tables.customers) : null,
    ),
    template('screen://localhost/{display}', { mimeType: 'image/gif' }, ({ display }) =>
      display === 'display1' ? new Uint8Array(pixel) : null,
    ),
  ];
  const write = offerMethod('guide/log', {}, ({ line }) => {
    lines.next([...lines.value, String(line)]);
    return {};
  });
  return defineServer({
    info: { name: 'shelf', version: '1.0.0' },
    offers: [write, offerResources(all)],
  });
}
