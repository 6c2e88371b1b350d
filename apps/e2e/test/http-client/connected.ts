import { http, type HttpOptions } from '@rxmcp/http';
import { defineClient, type EraId, type Fault, type Offer, once, type Remote } from 'rxmcp';
import { offerSampling } from 'rxmcp/sampling';
import { orThrow, tools } from 'rxmcp/tools';
import { expect, onTestFinished } from 'vitest';

/** Our client at a server, with the faults that it reported. */
export interface Connected {
  readonly remote: Remote;
  readonly faults: Fault[];
}

const parrot: Offer = offerSampling(
  () => ({ model: 'parrot', role: 'assistant', content: { type: 'text', text: 'A heron.' } }),
  { approve: 'dangerouslyAlways' },
);

/** Connects our client; it is closed with its test. */
export async function connected(
  url: string,
  eras?: readonly EraId[],
  options?: HttpOptions,
): Promise<Connected> {
  const client = defineClient({
    info: { name: 'our-client', version: '1.0.0' },
    offers: [parrot],
    ...(eras === undefined ? {} : { eras }),
  });
  const remote = await client.connect(http(url, options));
  onTestFinished(() => remote.close());
  const faults: Fault[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  return { remote, faults };
}

/** The text that a tool says. */
export async function say(remote: Remote, name: string, args: object = {}): Promise<string> {
  const { content } = await once(tools(remote).call(name, args).pipe(orThrow()));
  const [block] = content;
  return block?.type === 'text' ? (block as { text: string }).text : '';
}

/** Expects something that takes a while, longer on a busy machine. */
export function eventually<T>(value: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(value);
}
