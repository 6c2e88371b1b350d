import { isTellingAddress, namesSecret } from './secrets.js';

/** Stands for a value that was not kept; in a replay anything equals it. */
export const redacted = '<redacted>';

/** Makes a copy of plain data without what is secret: by the name it stands under, or since a text holds it. */
export function redactor(more: readonly (string | RegExp)[]): <T>(data: T) => T {
  const isNamed = (name: string): boolean =>
    more.some((one) => (typeof one === 'string' ? one === name : name.search(one) !== -1));
  const isSecret = (name: string, value: unknown, isSchema: boolean): boolean =>
    isNamed(name) || (!isSchema && namesSecret(name, value));
  const clean = (value: unknown, under = ''): unknown => {
    if (typeof value === 'string') return isTelling(value) ? redacted : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => clean(one));
    const { key, name = key } = value as { readonly key?: unknown; readonly name?: unknown };
    const members = Object.entries(value).map(([own, member]: [string, unknown]) => {
      // A schema says what is to come under a name.
      const isSchema = under === 'properties' && typeof member === 'object';
      // { name: 'Authorization', value: 'Bearer …' }
      const isPair = own === 'value' && typeof name === 'string' && isSecret(name, member, false);
      return [own, isPair || isSecret(own, member, isSchema) ? redacted : clean(member, own)] as const;
    });
    return Object.fromEntries(members);
  };
  /** Whether a text is data that holds a secret, or an address that does. */
  const isTelling = (text: string): boolean =>
    /^\s*[[{]/.test(text) ? isTellingData(text) : !/\s/.test(text) && isTellingAddress(text);
  const isTellingData = (text: string): boolean => {
    try {
      const data: unknown = JSON.parse(text);
      return JSON.stringify(clean(data)) !== JSON.stringify(data);
    } catch {
      return false;
    }
  };
  return (data) => clean(data) as typeof data;
}
