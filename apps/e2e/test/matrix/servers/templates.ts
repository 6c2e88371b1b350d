import type { JsonObject, Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { offerResources, template } from 'rxmcp/resources';

/** A tree of files behind the template of the guides, for one segment or for many: `{ text: 'file:///{path}' }`. */
export function templates({ text }: JsonObject): Server {
  const files = new Map([
    ['notes.txt', 'A note.'],
    ['src/main.rs', 'fn main() {}'],
    ['说明.md', '# 说明'],
  ]);
  const tree = template(
    text === 'file:///{+path}' ? 'file:///{+path}' : 'file:///{path}',
    {
      name: 'Project Files',
      title: '📁 Project Files',
      description: 'Access files in the project directory',
    },
    ({ path }) => files.get(path) ?? null,
  );
  return defineServer({ info: { name: 'tree', version: '1.0.0' }, offers: [offerResources([tree])] });
}
