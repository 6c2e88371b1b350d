import { validateField } from './validate-form.js';
import type { FilledForm, FormField, FormSchema } from './types.js';

/** A content with the defaults of the fields that are not there; those that are there, be it as undefined, stay. */
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

/** The form itself. Throws a TypeError that names a field whose default does not fit it. */
export function checkDefaults(form: FormSchema): FormSchema {
  for (const [name, field] of Object.entries(form.properties)) {
    const problem = defaultProblem(field);
    if (problem !== undefined) throw new TypeError(`the default of the field "${name}" ${problem}`);
  }
  return form;
}

/** The form without the defaults that do not fit their fields: one of another's making is filled all the same. */
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
