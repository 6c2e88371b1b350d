import { once, type Remote } from 'rxmcp';
import { orThrow, tools } from 'rxmcp/tools';

/** The text that a tool of a fixture says. */
export async function say(remote: Remote, name: string, args: object = {}): Promise<string> {
  const { content } = await once(tools(remote).call(name, args).pipe(orThrow()));
  const [block] = content;
  return block?.type === 'text' ? (block as { text: string }).text : '';
}
