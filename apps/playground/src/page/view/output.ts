import type { ContentBlock } from 'rxmcp';
import type { PromptMessage } from 'rxmcp/prompts';
import type { Output } from '../state/catalog.js';
import { el } from './dom.js';
import { describeError } from '../state/errors.js';
import type { Run } from '../state/run.js';

/** Shows a use of an item: its progress and logs, its result, or why it failed. */
export function runNodes({ state, progress, logs, output, error }: Run): readonly HTMLElement[] {
  return [
    ...(state === 'running' && progress !== undefined ? [progressNode(progress)] : []),
    ...(logs.length === 0 ? [] : [el('ul', { class: 'logs', 'aria-label': 'Log' }, ...logs.map(logNode))]),
    ...(output === undefined ? [] : outputNodes(output)),
    ...(state === 'failed' ? [el('p', { class: 'problem' }, describeError(error))] : []),
    ...(state === 'cancelled' ? [el('p', {}, 'Cancelled.')] : []),
  ];
}

function progressNode({ progress, total, message = '' }: NonNullable<Run['progress']>): HTMLElement {
  const value = total === undefined ? {} : { max: String(total), value: String(progress) };
  const of = total === undefined ? String(progress) : `${progress} of ${total}`;
  return el('p', {}, el('progress', { ...value, 'aria-label': 'Progress' }), ` ${of} ${message}`);
}

function logNode({ level, data }: Run['logs'][number]): HTMLElement {
  return el('li', {}, `${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`);
}

function outputNodes(output: Output): readonly HTMLElement[] {
  if ('messages' in output) return stepNodes(output.messages);
  const { blocks, isError = false, data } = output;
  return [
    ...(isError ? [el('p', { class: 'problem' }, 'The tool reports an error:')] : []),
    ...blocks.map(blockNode),
    ...(data === undefined
      ? []
      : [el('h3', {}, 'Structured content'), textNode(JSON.stringify(data, null, 2))]),
  ];
}

/** Shows messages one after the other. */
function stepNodes(messages: readonly PromptMessage[]): readonly HTMLElement[] {
  const steps = messages.map(({ role, content }, at) =>
    el(
      'li',
      { hidden: at > 0 },
      el('h3', {}, `Step ${at + 1} of ${messages.length}: ${role}`),
      blockNode(content),
    ),
  );
  let at = 0;
  const back = el('button', { type: 'button', click: () => show(at - 1) }, 'Back');
  const next = el('button', { type: 'button', click: () => show(at + 1) }, 'Next');
  const show = (step: number): void => {
    at = step;
    steps.forEach((node, index) => (node.hidden = index !== at));
    back.disabled = at === 0;
    next.disabled = at >= steps.length - 1;
  };
  show(0);
  const list = el('ol', { class: 'steps', 'aria-live': 'polite' }, ...steps);
  return steps.length > 1 ? [list, el('p', {}, back, next)] : [list];
}

function blockNode(block: ContentBlock): HTMLElement {
  switch (block.type) {
    case 'text':
      return textNode(block.text);
    case 'image':
      return mediaNode(block.mimeType, block.data);
    case 'audio':
      return mediaNode(block.mimeType, block.data);
    case 'resource_link':
      return el('p', {}, `Link: ${block.title ?? block.name} `, el('code', {}, block.uri));
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType = '' } = resource;
      const content =
        resource.text === undefined ? mediaNode(mimeType, resource.blob) : textNode(resource.text);
      return el('figure', {}, el('figcaption', {}, `${uri} ${mimeType}`), content);
    }
    default:
      return textNode(JSON.stringify(block, null, 2));
  }
}

/** Pictures and sounds stay within the page: nothing is fetched. */
function mediaNode(mimeType: string, base64: string): HTMLElement {
  // Not as attributes, which are short text of the server.
  const src = `data:${mimeType};base64,${base64}`;
  if (/^image\/[\w.+-]+$/.test(mimeType))
    return Object.assign(el('img', { alt: `A picture of the server, ${mimeType}` }), { src });
  if (/^audio\/[\w.+-]+$/.test(mimeType))
    return Object.assign(el('audio', { controls: true, 'aria-label': 'A sound of the server' }), { src });
  return el('p', {}, `${mimeType || 'Binary data'}, ${base64.length} characters of base64`);
}

function textNode(text: string): HTMLElement {
  return el('pre', { tabindex: '0' }, text);
}
