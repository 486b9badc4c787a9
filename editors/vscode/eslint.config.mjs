import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import ts from 'typescript-eslint';

const typed = [js.configs.recommended, ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked];

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'package/']),
  {
    files: ['**/*.ts'],
    extends: typed,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A forgotten await is the classic bug of an extension; numbers in templates are not.
      '@typescript-eslint/no-floating-promises': 'error',
      // Every event of the API returns a plain object typed as the class Disposable.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // What people read can be translated.
      'no-restricted-syntax': [
        'error',
        ...['CallExpression[callee.property.name=/^show(Information|Warning|Error)Message$/] > :matches(Literal, TemplateLiteral)', 'Property[key.name=/^(title|prompt|placeHolder|tooltip)$/] > Literal'].map(
          (selector) => ({ selector, message: 'Wrap it in vscode.l10n.t().' }),
        ),
      ],
    },
  },
  {
    // node:test's describe and test return promises that nobody is meant to await.
    files: ['test/unit/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  {
    files: ['**/*.mjs'],
    extends: [js.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        ['Buffer', 'process', 'console', 'URL', 'URLSearchParams', 'fetch', 'setTimeout', 'clearTimeout', 'document', 'getComputedStyle'].map((name) => [name, 'readonly']),
      ),
    },
  },
);
