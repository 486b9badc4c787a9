// Makes the .vsix: `npm run package -- [--target linux-x64] [--server PATH] [--out FILE]`.
// With a target the server binary goes inside: the one named, or built here for that target.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.dirname(import.meta.dirname);
const repo = path.resolve(root, '../..');
const { values } = parseArgs({ options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string' } } });
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const maxBundle = 500 * 1024;

execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
const size = ['extension.js', 'languageClient.js'].reduce((sum, name) => sum + statSync(path.join(root, 'dist', name)).size, 0);
if (size > maxBundle) {
  throw new Error(`the bundles have ${size} bytes, more than ${maxBundle}`);
}

const bin = path.join(root, 'bin');
rmSync(bin, { recursive: true, force: true });
if (values.target) {
  const binary = path.join(bin, values.target.startsWith('win32') ? 'pending-lsp.exe' : 'pending-lsp');
  mkdirSync(bin);
  if (values.server) {
    copyFileSync(values.server, binary);
  } else {
    const [os, arch] = values.target.split('-');
    const env = { ...process.env, GOOS: os, GOARCH: arch === 'x64' ? 'amd64' : arch, CGO_ENABLED: '1' };
    execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', binary, './cmd/pending-lsp'], { cwd: repo, env, stdio: 'inherit' });
  }
  chmodSync(binary, 0o755);
}

const out = values.out ?? path.join(root, `pending-lsp-${version}${values.target ? `-${values.target}` : ''}.vsix`);
const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
// vsce runs on Node 22 and later only.
const node = process.env.NODE_FOR_VSCE ?? process.execPath;
execFileSync(node, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', ...(values.target ? ['--target', values.target] : []), '--out', out], {
  cwd: root,
  stdio: 'inherit',
});
console.log(`${out} (${Math.round(statSync(out).size / 1024)} KB; bundles ${Math.round(size / 1024)} KB)`);
