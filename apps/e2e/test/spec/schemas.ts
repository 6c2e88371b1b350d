import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from 'rxmcp';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Where the official JSON Schemas lie, one file per revision; they are not part of this repository. */
export const specFolder: string | undefined = process.env.RXMCP_SPEC_DIR;

/** Checks frames against the official schema of one revision. */
export interface FrameChecker {
  /** What is wrong with a value as this definition; undefined = nothing. */
  check(definition: string, value: unknown): string | undefined;
  has(definition: string): boolean;
  /** The members that a definition names; none for a definition that the schema does not have. */
  members(definition: string): ReadonlySet<string>;
}

/** The checker of a revision, or undefined where its schema cannot be had. */
export function frameChecker(version: string): FrameChecker | undefined {
  const file = specFolder === undefined ? '' : join(specFolder, `${version}.schema.json`);
  if (!existsSync(file)) return undefined;
  const schema = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  const kind = schema.$defs === undefined ? 'definitions' : '$defs';
  const options = { strict: false, allErrors: false, validateFormats: false };
  const ajv = kind === '$defs' ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema(schema, 'mcp');
  return {
    has: (definition) => Object.hasOwn(schema[kind] as JsonObject, definition),
    members(definition) {
      const all = schema[kind] as Readonly<Record<string, JsonObject>>;
      // The oldest revision describes annotations where they stand, under no name of their own.
      const inner = (all.Annotated?.properties as JsonObject | undefined)?.annotations;
      const found = all[definition] ?? (definition === 'Annotations' ? (inner as JsonObject) : undefined);
      return new Set(Object.keys((found?.properties ?? {}) as JsonObject));
    },
    check(definition, value) {
      const validate = ajv.getSchema(`mcp#/${kind}/${definition}`);
      if (validate === undefined) return `the schema has no ${definition}`;
      return validate(value) === true ? undefined : `no ${definition}: ${ajv.errorsText(validate.errors)}`;
    },
  };
}
