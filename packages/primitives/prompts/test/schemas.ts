import type { StandardSchema } from '@rxmcp/core';

interface Review {
  readonly code: string;
  readonly depth: number;
}

function check(
  value: unknown,
): { value: Review } | { issues: readonly { message: string; path: string[] }[] } {
  const { code, depth } = value as Record<string, string>;
  const number = Number(depth);
  return Number.isNaN(number)
    ? { issues: [{ message: 'must be a number', path: ['depth'] }] }
    : { value: { code: String(code), depth: number } };
}

const json = {
  type: 'object',
  properties: { code: { type: 'string', description: 'What to look at.' }, depth: { title: 'Depth' } },
  required: ['code', 'depth'],
};

const standard = {
  version: 1,
  vendor: 'test',
  validate: check,
  jsonSchema: { input: () => json, output: () => json },
} as const;

/** A Standard Schema that makes a number of a string, as a library would make one. */
export const review: StandardSchema<{ code: string; depth: string }, Review> = { '~standard': standard };
export const slowReview: typeof review = {
  '~standard': { ...standard, validate: (value) => Promise.resolve(check(value)) },
};
export const foreignReview: typeof review = {
  '~standard': {
    ...standard,
    validate: (value) => {
      const promise = Promise.resolve(check(value));
      return { then: promise.then.bind(promise) } as typeof promise;
    },
  },
};
