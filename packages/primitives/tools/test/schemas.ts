import type { SchemaIssue, StandardSchema } from '@rxmcp/core';

interface SchemaOptions<T> {
  readonly check: (value: Record<string, unknown>) => T | readonly SchemaIssue[];
  readonly json?: Record<string, unknown>;
  /** Gives its outcome as a promise, or as one of another realm. */
  readonly async?: boolean | 'foreign';
}

/** A Standard Schema as a library would make one. */
export function schema<T>({ check, json, async = false }: SchemaOptions<T>): StandardSchema<T, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        const found = check(value as Record<string, unknown>);
        const result = Array.isArray(found)
          ? { issues: found as readonly SchemaIssue[] }
          : { value: found as T };
        if (async === false) return result;
        const promise = Promise.resolve(result);
        return async === 'foreign' ? ({ then: promise.then.bind(promise) } as typeof promise) : promise;
      },
      ...(json === undefined
        ? {}
        : { jsonSchema: { input: () => json, output: () => ({ ...json, side: 'out' }) } }),
    },
  };
}

interface Person {
  readonly name: string;
}

const personJson = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function checkPerson({ name }: Record<string, unknown>): Person | readonly SchemaIssue[] {
  return typeof name === 'string' ? { name } : [{ message: 'must be a string', path: ['name'] }];
}

export const person = schema<Person>({ check: checkPerson, json: personJson });
export const slowPerson = schema<Person>({ check: checkPerson, json: personJson, async: true });
export const foreignPerson = schema<Person>({ check: checkPerson, json: personJson, async: 'foreign' });
