import { catchError, combineLatest, defer, map, NEVER, type Observable, of } from 'rxjs';
import { type CallEvent, type ContentBlock, type Remote, RxmcpError, TransportError } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { type PromptInfo, type PromptMessage, prompts } from 'rxmcp/prompts';
import {
  expandUriTemplate,
  type ResourceContents,
  type ResourceInfo,
  resources,
  type TemplateInfo,
} from 'rxmcp/resources';
import { type JsonSchema, type ToolInfo, tools } from 'rxmcp/tools';
import { describeError } from './errors.js';

/** What came of a use of an item. */
export type Output =
  | { readonly blocks: readonly ContentBlock[]; readonly isError?: boolean; readonly data?: unknown }
  | { readonly messages: readonly PromptMessage[] };

/** A use of an item: subscribing sends it, unsubscribing cancels it. */
export interface Action {
  readonly label: string;
  run(remote: Remote, args: Readonly<Record<string, unknown>>): Observable<CallEvent<Output>>;
}

/** The parts of a catalog, as the page shows them. */
export const kinds = ['tools', 'resources', 'prompts'] as const;

/** Something that the server offers. */
export interface Item {
  readonly kind: (typeof kinds)[number];
  /** Unique among all items. */
  readonly key: string;
  /** The name, as a slash command for a prompt. */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  /** What its actions take. */
  readonly schema: JsonSchema;
  readonly actions: readonly Action[];
  /** Suggests values for an argument; absent = the protocol has no suggestions for it. */
  suggest?(remote: Remote, name: string, typed: string, others: Texts): Observable<readonly string[]>;
}

type Texts = Readonly<Record<string, string>>;

/** What a server offers now, and which of its lists failed. */
export interface Catalog {
  readonly items: readonly Item[];
  readonly problems: readonly string[];
}

/** Nothing is connected. */
export const emptyCatalog: Catalog = { items: [], problems: [] };

/** Follows the lists of a server. */
export function catalogOf(remote: Remote): Observable<Catalog> {
  const { list$, templates$ } = resources(remote);
  return combineLatest([
    part(tools(remote).list$, toolItem),
    part(list$, resourceItem),
    part(templates$, templateItem),
    part(prompts(remote).list$, promptItem),
  ]).pipe(
    map((parts) => ({
      items: parts.flatMap(({ items }) => items),
      problems: parts.flatMap(({ problems }) => problems),
    })),
  );
}

function part<T>(list$: Observable<readonly T[]>, itemOf: (info: T) => Item): Observable<Catalog> {
  return list$.pipe(
    map((all) => ({ items: all.map(itemOf), problems: [] })),
    catchError((error: unknown) =>
      isLoss(error) ? NEVER : of({ items: [], problems: [describeError(error)] }),
    ),
  );
}

/** The session says so too, and is opened again. */
function isLoss(error: unknown): boolean {
  return (TransportError.is(error) && error.outcome !== 'answered') || RxmcpError.is(error, 'CLOSED');
}

function toolItem(info: ToolInfo): Item {
  const { name, title = '', description = '', inputSchema: schema, annotations = {} } = info;
  const hint = annotations.readOnlyHint === true ? 'Says that it changes nothing.' : '';
  return {
    kind: 'tools',
    key: `tool ${name}`,
    label: name,
    title: title || (annotations.title ?? ''),
    description: [description, hint].filter((text) => text !== '').join('\n'),
    schema,
    actions: [
      {
        label: 'Call',
        run: (remote, args) =>
          tools(remote)
            .events(name, args, { logLevel: 'debug' })
            .pipe(
              map((event) => {
                if (event.type !== 'result') return event;
                const { content: blocks, isError = false, structuredContent: data } = event.result;
                return resultOf({ blocks, isError, ...(data === undefined ? {} : { data }) });
              }),
            ),
      },
    ],
  };
}

function resourceItem({ uri, name, title = name, description = '', mimeType = '' }: ResourceInfo): Item {
  return {
    kind: 'resources',
    key: `resource ${uri}`,
    label: uri,
    title,
    description: [description, mimeType].filter((text) => text !== '').join('\n'),
    schema: {},
    actions: readingOf(() => uri),
  };
}

function templateItem({ uriTemplate, name, title = name, description = '' }: TemplateInfo): Item {
  const expressions = [...uriTemplate.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].map(([, inner = '']) => inner);
  const variables = expressions.flatMap((inner) =>
    inner.split(',').map((one) => one.replace(/\*$|:\d+$/, '')),
  );
  return {
    kind: 'resources',
    key: `template ${uriTemplate}`,
    label: uriTemplate,
    title,
    description,
    schema: { properties: Object.fromEntries(variables.map((variable) => [variable, { type: 'string' }])) },
    actions: readingOf((args) => expandUriTemplate(uriTemplate, args as Texts)),
    suggest: (remote, variable, typed, others) =>
      completion(remote)
        .template(uriTemplate, variable, typed, { arguments: others })
        .pipe(map(({ values }) => values)),
  };
}

function readingOf(uriOf: (args: Readonly<Record<string, unknown>>) => string): readonly Action[] {
  const contents = map((all: readonly ResourceContents[]) =>
    resultOf({ blocks: all.map((resource) => ({ type: 'resource', resource })) }),
  );
  return [
    { label: 'Read', run: (remote, args) => defer(() => resources(remote).read(uriOf(args))).pipe(contents) },
    {
      label: 'Watch',
      run: (remote, args) => defer(() => resources(remote).watch(uriOf(args))).pipe(contents),
    },
  ];
}

function promptItem({ name, title = '', description = '', arguments: list = [] }: PromptInfo): Item {
  const properties = list.map(({ name: argument, title: shown = argument, description: about = '' }) => [
    argument,
    { type: 'string', title: shown, description: about },
  ]);
  return {
    kind: 'prompts',
    key: `prompt ${name}`,
    label: `/${name}`,
    title,
    description,
    schema: {
      properties: Object.fromEntries(properties),
      required: list.flatMap((argument) => (argument.required === true ? [argument.name] : [])),
    },
    actions: [
      {
        label: 'Get',
        run: (remote, args) =>
          prompts(remote)
            .get(name, args as Texts)
            .pipe(map(({ messages }) => resultOf({ messages }))),
      },
    ],
    suggest: (remote, argument, typed, others) =>
      completion(remote)
        .prompt(name, argument, typed, { arguments: others })
        .pipe(map(({ values }) => values)),
  };
}

function resultOf(result: Output): CallEvent<Output> {
  return { type: 'result', result };
}
