import { choicesOf } from './choices.js';
import type { FormSchema } from './types.js';

/**
 * The fields of a form that ask for a secret, by their names and titles: what a person types there passes the client and maybe
 * a model, so no server may ask it in a form. Spec 2026-07-28 client/elicitation#user-interaction-model.
 */
export function secretFields(form: FormSchema): readonly string[] {
  return Object.entries(form.properties).flatMap(([name, field]) => {
    const isOpen = field.type === 'string' && choicesOf(field) === undefined;
    return isOpen && (isSecret(name) || isSecret(field.title ?? '')) ? [name] : [];
  });
}

// Words that mean a secret wherever a name ends in them. "token" and "secret" alone mean too much else.
const words =
  /(?:password|passwd|passphrase|passcode|api ?key|private ?key|secret ?key|access ?key|access ?token|auth ?token|refresh ?token|bearer ?token|client ?secret|credit ?card(?: ?number)?|card ?number|cvv|cvc)s?$/;

function isSecret(name: string): boolean {
  const spaced = name.slice(0, 200).replace(/(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+/g, ' ');
  return words.test(spaced.trim().toLowerCase());
}
