// Bundles the extension: dist/extension.js, and dist/languageClient.js, which it loads when it starts the server.
// With --unit the unit tests, with --api the tests that run in the extension host.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.dirname(import.meta.dirname);
const base = { absWorkingDir: root, bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

if (process.argv.includes('--unit')) {
  rmSync(path.join(root, 'dist/unit'), { recursive: true, force: true });
  const tests = readdirSync(path.join(root, 'test/unit')).filter((name) => name.endsWith('.test.ts'));
  await build({
    ...base,
    entryPoints: tests.map((name) => `test/unit/${name}`),
    outdir: 'dist/unit',
    outExtension: { '.js': '.cjs' },
    alias: { vscode: './test/unit/vscode.cjs' },
    sourcemap: 'inline',
  });
} else if (process.argv.includes('--api')) {
  await build({ ...base, entryPoints: ['test/api/index.ts'], outfile: 'dist/api/index.js', external: ['vscode'], sourcemap: 'inline' });
  // The extension host runs tests only for an extension under development: this one uses ours, as others would.
  const manifest = { name: 'api-tests', publisher: 'pending-lsp', version: '0.0.0', engines: { vscode: '*' }, enabledApiProposals: ['mcpServerDefinitions'] };
  writeFileSync(path.join(root, 'dist/api/package.json'), JSON.stringify(manifest));
} else {
  await build({
    ...base,
    entryPoints: { extension: 'src/extension.ts', languageClient: 'src/server/languageClient.ts' },
    outdir: 'dist',
    external: ['vscode', './languageClient'],
    // Loaded with require, for which the extension host provides vscode.
    supported: { 'dynamic-import': false },
    minify: true,
    sourcemap: 'external',
  });
}
