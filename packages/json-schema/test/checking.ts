import { JsonSchemaError, jsonSchema } from '../src/index.js';
import type { JsonSchemaOptions } from '../src/index.js';

/** What is wrong with a value by a schema, a line each. */
export function problems(
  schema: Record<string, unknown>,
  value: unknown,
  options?: JsonSchemaOptions,
): string[] {
  const { issues = [] } = jsonSchema(schema, options)['~standard'].validate(value);
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
}

export function holds(schema: Record<string, unknown>, value: unknown): boolean {
  return problems(schema, value).length === 0;
}

/** The code and place of the error that a schema is refused with. */
export function refusal(
  schema: unknown,
  options?: JsonSchemaOptions,
): { code: string; at: string; message: string } {
  try {
    jsonSchema(schema as Record<string, unknown>, options);
  } catch (error) {
    if (JsonSchemaError.is(error)) return { code: error.code, at: error.pointer, message: error.message };
    throw error;
  }
  throw new Error('the schema was taken');
}

/** What is wrong with a value that costs more than it may. */
export function givenUp(maxSteps: number): string[] {
  return [`was not checked to its end, which takes more than ${maxSteps} steps`];
}
