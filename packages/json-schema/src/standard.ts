import type { Issue } from './run.js';

/** A Standard Schema with its JSON Schema companion (standardschema.dev). */
export interface CheckedSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Never a promise. Gives the value as it is, or at most ten things that are wrong with it. */
    readonly validate: (value: unknown) => Checked<T>;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    /** The schema as it was given, in its own dialect. */
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** A value that holds, or what is wrong with it. */
export type Checked<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
