import { validateField } from './validate-form.js';
import type { FilledForm, FormField, FormSchema } from './types.js';

/** Returns content with the defaults of missing fields. A field that is present with the value undefined stays empty. */
export function withDefaults(form: FormSchema, content: FilledForm): FilledForm {
  const missing = Object.entries(form.properties).filter(
    ([name, field]) => field.default !== undefined && !Object.hasOwn(content, name),
  );
  if (missing.length === 0) return content;
  return Object.fromEntries([
    ...Object.entries(content),
    ...missing.map(([name, field]) => [name, field.default] as const),
  ]);
}

/** Returns the form. Throws a TypeError that names a field whose default does not fit it. */
export function checkDefaults(form: FormSchema): FormSchema {
  for (const [name, field] of Object.entries(form.properties)) {
    const problem = defaultProblem(field);
    if (problem !== undefined) throw new TypeError(`the default of the field "${name}" ${problem}`);
  }
  return form;
}

/** Returns the form without invalid defaults, so that a form of a server can be filled anyway. */
export function dropInvalidDefaults(form: FormSchema): FormSchema {
  const fields = Object.entries(form.properties).map(
    ([name, field]) => [name, defaultProblem(field) === undefined ? field : bare(field)] as const,
  );
  return { ...form, properties: Object.fromEntries(fields) };
}

function defaultProblem(field: FormField): string | undefined {
  return field.default === undefined ? undefined : validateField(field, field.default);
}

function bare(field: FormField): FormField {
  const { default: _wrong, ...rest } = field;
  return rest as FormField;
}
