export type {
  InferJsonSchema,
  JsonSchemaObject,
  ValidationResult,
  StandardJsonSchema,
} from './validator/json-schema.js';
export { jsonSchema } from './validator/json-schema.js';
export type { JsonSchemaLimits, JsonSchemaOptions } from './schema/options.js';
export type { ValidationIssue } from './compile/validation-run.js';
export { JsonSchemaError, type JsonSchemaErrorCode } from './schema/schema-error.js';
export { validator, type JsonSchemaValidator, type ValidatorOptions } from './validator/validator.js';
