// SPDX-License-Identifier: MIT
// What the linter holds: types are used, files stay short, and text of a result never becomes HTML.
import tseslint from 'typescript-eslint';

const html = 'Text of a result is hostile: build nodes with h() and text.';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'test-results/'] },
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [{ from: 'package', name: ['test'], package: 'node:test' }],
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.mjs'],
    rules: {
      eqeqeq: 'error',
      'prefer-const': 'error',
      'max-lines': ['error', 400],
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: html },
        { property: 'outerHTML', message: html },
        { property: 'insertAdjacentHTML', message: html },
        { property: 'createContextualFragment', message: html },
        { object: 'document', property: 'write', message: html },
      ],
    },
  },
);
