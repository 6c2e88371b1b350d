import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { noClockInExpect } from './eslint.clocks.js';

const newObservable = {
  selector: "NewExpression[callee.name='Observable']",
  message: 'Observables are born in packages/core/src/streams only.',
};
const privateMember = {
  selector: ":matches(PropertyDefinition, MethodDefinition[kind!='constructor'])[accessibility='private']",
  message: 'Write #name: bundlers shorten it. Only parameter properties and constructors are `private`.',
};
const defaultExport = { selector: 'ExportDefaultDeclaration', message: 'Name every export.' };

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/coverage/**',
      '.pnpm-bootstrap/**',
      '**/.turbo/**',
      // Tests that run at the same time make and remove these.
      '**/.readme-*/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', 300],
      // The type checker knows which names exist.
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      'no-restricted-syntax': ['error', newObservable],
    },
  },
  {
    files: ['**/src/**/*.ts'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-syntax': ['error', newObservable, defaultExport, privateMember],
    },
  },
  {
    files: ['**/test/**/*.ts', '**/spec/**/*.ts'],
    plugins: { rxmcp: { rules: { 'no-clock-in-expect': noClockInExpect } } },
    rules: { 'rxmcp/no-clock-in-expect': 'error' },
  },
  {
    files: ['packages/core/src/streams/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', defaultExport, privateMember] },
  },
);
