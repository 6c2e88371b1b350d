export type {
  InferJsonSchema,
  JsonSchemaObject,
  ValidationResult,
  StandardJsonSchema,
} from './json-schema.js';
export { jsonSchema } from './json-schema.js';
export type { JsonSchemaLimits, JsonSchemaOptions } from './options.js';
export type { ValidationIssue } from './validation-run.js';
export { JsonSchemaError } from './schema-error.js';
export type { JsonSchemaErrorCode } from './schema-error.js';
export { validator } from './validator.js';
export type { JsonSchemaValidator, ValidatorOptions } from './validator.js';
