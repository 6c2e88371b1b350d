/** A program of a user: each subpath of `rxmcp` and the types that calls infer. */
export function programOf(subpaths: readonly string[]): string {
  const everything = subpaths.map((subpath, at) => `import * as all${at} from '${subpath}';`);
  const names = subpaths.map((_, at) => `all${at}`);
  return `${everything.join('\n')}
import { defineClient, defineServer, once } from 'rxmcp';
import { transportFor } from 'rxmcp/url';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import type { Observable } from 'rxjs';
import * as z from 'zod';

const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => text(\`Hello, \${name.trim()}!\`));
// @ts-expect-error The handler knows the type of its arguments.
tool('wrong', { input: z.object({ name: z.string() }) }, ({ name }) => text(name.toFixed()));
export const server = defineServer({ info: { name: 'hello', version: '1.0.0' }, offers: [offerTools([greet])] });

const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
const remote = await client.connect(transportFor('http://127.0.0.1:1'));
const { content } = await once(tools(remote).call('greet', { name: 'Ada' }));
export const first: string | undefined = content[0]?.type === 'text' ? content[0].text : undefined;
export const listed: Observable<unknown> = tools(remote).list();
// @ts-expect-error A result has no such member.
content.nothing;
export const modules: object[] = [${names.join(', ')}];
`;
}
