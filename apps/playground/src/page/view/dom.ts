import type { Observable, Subscription } from 'rxjs';

/** Attributes by name, `true` for one without a value; a function listens to the event of its name. */
type Props = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** Makes an element. Text may be that of a server: it never becomes markup, and its invisible characters are shown. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? '' : visibleText(value));
  }
  element.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)));
  return element;
}

/** Returns the element of the page with an id. */
export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Shows in an element what a stream emits. The focus stays on the part with the same `data-key`. */
export function mount(root: HTMLElement, view$: Observable<readonly Node[]>): Subscription {
  return view$.subscribe((nodes) => {
    const active = document.activeElement as HTMLElement | null;
    const key = root.contains(active) ? active?.dataset['key'] : undefined;
    root.replaceChildren(...nodes);
    if (key === undefined) return;
    const parts = root.querySelectorAll<HTMLElement>('[data-key]');
    [...parts].find((part) => part.dataset['key'] === key)?.focus({ preventScroll: true });
  });
}

// Control characters except tab and line feed, line separators, and what no font shows: controls of direction, tags, selectors. What joins
// letters or selects the form of an emoji stays.
const invisible =
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
const maxChars = 200_000;

/** Escapes the invisible characters of a text, so that a reader sees all that it says, and cuts it at 200,000 characters. */
export function visibleText(text: string): string {
  const shown = text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
  return shown.replace(/\r\n/g, '\n').replace(invisible, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
