import type { JsonObject } from 'rxmcp';
import { objectOr } from './typed.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Checks arguments against the schema of a tool. Rejects with a UsageError that names the place, what is expected, and what is there. */
export async function checkArguments(tool: string, args: JsonObject, schema: JsonObject): Promise<void> {
  if (fitsPlainly(args, schema)) return;
  const { validator, JsonSchemaError } = await import('rxmcp/json-schema');
  let issues;
  try {
    const result = validator()(schema)['~standard'].validate(args);
    issues = result.issues;
  } catch (error) {
    // The server, which knows its own schema, checks.
    if (JsonSchemaError.is(error)) return;
    throw error;
  }
  const wrong = issues?.filter((issue) => !('code' in issue)) ?? [];
  if (wrong.length === 0) return;
  const problems = wrong.map(
    ({ path, message }) => `${pointer(path)} ${message}, got ${shown(at(args, path))}`,
  );
  throw new UsageError(`calling "${tool}" failed: ${problems.join('; ')}`);
}

/** Whether arguments fit a schema that only names simple types, as most do: loading the validator takes longer than a call. */
function fitsPlainly(args: JsonObject, schema: JsonObject): boolean {
  const { $schema: _schema, type, properties, required, additionalProperties = true, ...others } = schema;
  const types = objectOr(properties);
  const isPlain =
    Object.keys(others).length === 0 && type === 'object' && typeof additionalProperties === 'boolean';
  const names = Array.isArray(required) ? (required as unknown[]) : [];
  return (
    isPlain &&
    names.every((name) => Object.hasOwn(args, String(name))) &&
    Object.entries(args).every(([name, value]) =>
      Object.hasOwn(types, name) ? isOfType(value, objectOr(types[name])) : additionalProperties,
    )
  );
}

function isOfType(
  value: unknown,
  { title: _title, description: _description, type, ...others }: JsonObject,
): boolean {
  return (
    ['string', 'number', 'boolean'].includes(String(type)) &&
    typeof value === type &&
    Object.keys(others).length === 0
  );
}

function pointer(keys: readonly (string | number)[]): string {
  if (keys.length === 0) return 'the arguments';
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function at(value: unknown, keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  );
}

const maxChars = 100;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > maxChars ? `${json.slice(0, maxChars)}…` : json;
}
