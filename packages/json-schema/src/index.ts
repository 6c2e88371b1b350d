export type { InferJson, JsonSchemaObject, Checked, CheckedSchema } from './json-schema.js';
export { jsonSchema } from './json-schema.js';
export type { JsonSchemaLimits, JsonSchemaOptions } from './options.js';
export type { Issue } from './run.js';
export { JsonSchemaError } from './schema-error.js';
export type { JsonSchemaErrorCode } from './schema-error.js';
export { validator } from './validator.js';
export type { SchemaValidator, ValidatorOptions } from './validator.js';
