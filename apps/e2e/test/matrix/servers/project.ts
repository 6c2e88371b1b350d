import { BehaviorSubject, map } from 'rxjs';
import type { JsonObject, Server } from 'rxmcp';
import { defineServer, offerMethod } from 'rxmcp';
import type { Resource } from 'rxmcp/resources';
import { offerResources, resource } from 'rxmcp/resources';

/** What main.rs says at first. */
export const mainRs = 'fn main() {\n    println!("你好，世界");\n}\n';

/**
 * The folder of an editor, kept in memory: files that can be listed page by page, read, followed and saved. Saving a new
 * file changes the list.
 */
export function project({ pageSize }: JsonObject): Server {
  const files = new BehaviorSubject(
    new Map([
      ['src/main.rs', new BehaviorSubject(mainRs)],
      ['Cargo.toml', new BehaviorSubject('[package]\nname = "hello"\n')],
      ['README.md', new BehaviorSubject('# 你好\n')],
    ]),
  );
  const entry = (path: string, text$: BehaviorSubject<string>): Resource =>
    resource(
      `file:///project/${path}`,
      {
        name: path.slice(path.lastIndexOf('/') + 1),
        title: path === 'src/main.rs' ? 'Rust Software Application Main File' : path,
        description: path === 'src/main.rs' ? 'Primary application entry point' : 'A file of the project',
        mimeType: path.endsWith('.rs') ? 'text/x-rust' : 'text/plain',
        size: Buffer.byteLength(text$.value),
        annotations: { audience: ['user', 'assistant'], priority: 0.8, lastModified: '2025-01-12T15:00:58Z' },
        icons: [{ src: 'https://example.com/rust.png', mimeType: 'image/png', sizes: ['48x48'] }],
      },
      text$,
    );
  const all = files.pipe(map((known) => [...known].map(([path, text$]) => entry(path, text$))));
  const save = offerMethod('guide/save', {}, ({ path, text }) => {
    const known = files.value.get(String(path));
    if (known === undefined)
      files.next(new Map([...files.value, [String(path), new BehaviorSubject(String(text))]]));
    else known.next(String(text));
    return {};
  });
  return defineServer({
    info: { name: 'editor-files', version: '1.0.0' },
    offers: [save, offerResources(all, typeof pageSize === 'number' ? { pageSize } : {})],
  });
}
