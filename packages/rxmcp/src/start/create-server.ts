import type { Implementation, Offer, Server, ServerOptions, Subscribable } from '@rxmcp/core';
import { defineServer } from '@rxmcp/core';
import type { OfferedItem } from '@rxmcp/core/internal';
import { rejectUnknownOptions, serverOptionNames, omitUndefined } from '@rxmcp/core/internal';
import type { Prompt } from '@rxmcp/prompts';
import { offerPrompts } from '@rxmcp/prompts';
import type { ResourceDefinition } from '@rxmcp/resources';
import { offerResources } from '@rxmcp/resources';
import type { Tool } from '@rxmcp/tools';
import { offerTools } from '@rxmcp/tools';

/** An array, or a stream of arrays whose latest one is offered. */
type Source<T> = readonly T[] | Subscribable<readonly T[]>;

/** Options of {@link createServer}: what the server is, what it offers, and those of `defineServer`. */
export interface CreateServerOptions<
  T extends Source<Tool> = Source<Tool>,
  R extends Source<ResourceDefinition> = Source<ResourceDefinition>,
  P extends Source<Prompt> = Source<Prompt>,
  O extends Offer = Offer,
>
  extends Implementation, Omit<ServerOptions<O>, 'info' | 'offers'> {
  /** @default none */
  readonly tools?: T;
  /** Resources and templates of resources. @default none */
  readonly resources?: R;
  /** @default none */
  readonly prompts?: P;
  /** Other offers, such as `offerLogging()`. @default none */
  readonly offers?: readonly O[];
}

/** A server whose type has its tools, resources and prompts, for clients in TypeScript. */
type CreatedServer<T, R, P, O> = Server<OfferedItem<Offer<ItemOf<T> | ItemOf<R> | ItemOf<P>> | O>>;

type ItemOf<S> = S extends readonly (infer Item)[] ? Item : never;

/**
 * Creates a server: `defineServer` with the usual offers. {@link serve} runs it, and so does `serveX` of any transport.
 * @throws TypeError for what `defineServer`, `offerTools`, `offerResources` and `offerPrompts` reject
 * @example
 * const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`);
 * await serve(createServer({ name: 'hello', version: '1.0.0', tools: [greet] }));
 */
export function createServer<
  const T extends Source<Tool> = readonly [],
  const R extends Source<ResourceDefinition> = readonly [],
  const P extends Source<Prompt> = readonly [],
  O extends Offer = never,
>(options: CreateServerOptions<T, R, P, O>): CreatedServer<T, R, P, O> {
  checkOptions(options);
  const {
    name,
    version,
    title,
    description,
    websiteUrl,
    icons,
    tools,
    resources,
    prompts,
    offers = [],
    ...others
  } = options;
  return defineServer<Offer>({
    ...others,
    info: {
      name,
      version,
      ...omitUndefined({ title, description, websiteUrl, icons }),
    },
    offers: [
      ...(tools === undefined ? [] : [offerTools(tools)]),
      ...(resources === undefined ? [] : [offerResources(resources)]),
      ...(prompts === undefined ? [] : [offerPrompts(prompts)]),
      ...offers,
    ],
  }) as CreatedServer<T, R, P, O>;
}

const { info: _info, ...serverOptions } = serverOptionNames;

const known: Record<keyof CreateServerOptions, true> = {
  ...serverOptions,
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  tools: true,
  resources: true,
  prompts: true,
};

function checkOptions(options: Partial<CreateServerOptions> | undefined): void {
  if (options !== undefined && 'info' in options)
    throw new TypeError(
      `createServer has no "info". Pass its members: { name: 'my-app', version: '1.0.0', tools: [...] }`,
    );
  if (typeof options?.name !== 'string' || typeof options.version !== 'string')
    throw new TypeError(
      `createServer needs "name" and "version": { name: 'my-app', version: '1.0.0', tools: [...] }`,
    );
  rejectUnknownOptions('createServer', options, known, {
    templates: 'resources',
    resourceTemplates: 'resources',
    capabilities: 'tools',
    stateKeys: 'requestStateKeys',
    port: 'serve(server, { http: { port } })',
    authenticate: 'serve(server, { http: { authenticate } })',
  });
  for (const list of ['tools', 'resources', 'prompts'] as const) rejectSingle(list, options[list]);
}

function rejectSingle(list: string, given: unknown): void {
  if (given === undefined || Array.isArray(given) || typeof Object(given).subscribe === 'function') return;
  const { name = 'item' } = Object(given) as { name?: unknown };
  throw new TypeError(`createServer: "${list}" must be an array, as in ${list}: [${String(name)}]`);
}
