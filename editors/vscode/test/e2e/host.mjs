// A real VS Code server with one .vsix and a fresh profile, and agents as second processes.
import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const { VSCODE_HOST, PENDING_LSP, PENDING_LSP_VSIX } = process.env;
const entry = `${VSCODE_HOST}/node_modules/code-server/out/node/entry.js`;

const settings = {
  'chat.disableAIFeatures': true,
  'editor.hover.delay': 100,
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  // Values of this version: what VS Code migrates it writes back, and two windows at once lose the rest.
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.colorTheme': 'Dark Modern',
  'workbench.enableExperiments': false,
  // Tooltips come between the mouse and what is to be clicked.
  'workbench.hover.delay': 600_000,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export async function startHost({ trust = false } = {}) {
  // Short: it holds the daemon's socket.
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'plv-'));
  const userData = path.join(dir, 'ud');
  const env = {
    ...process.env,
    HOME: dir,
    XDG_CONFIG_HOME: path.join(dir, 'xdg'),
    XDG_DATA_HOME: path.join(dir, 'xdg'),
    XDG_STATE_HOME: path.join(dir, 'state'),
    XDG_RUNTIME_DIR: path.join(dir, 'run'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
  delete env.PORT;
  fs.mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 });
  fs.mkdirSync(path.join(userData, 'User'), { recursive: true });
  fs.writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify({ ...settings, 'security.workspace.trust.enabled': trust }));
  fs.writeFileSync(path.join(dir, 'config.yaml'), 'auth: none\n');
  const base = [entry, '--config', path.join(dir, 'config.yaml'), '--user-data-dir', userData, '--extensions-dir', path.join(dir, 'ext')];
  execFileSync(process.execPath, [...base, '--install-extension', PENDING_LSP_VSIX, '--force'], { env, stdio: 'pipe' });

  const port = await freePort();
  const log = fs.openSync(path.join(dir, 'server.log'), 'a');
  const flags = ['--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened', '--vscode-option', 'enable-smoke-test-driver'];
  const server = spawn(process.execPath, [...base, ...flags, ...(trust ? [] : ['--disable-workspace-trust'])], { env, stdio: ['ignore', log, log], detached: true });
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, 'the VS Code server to listen', 60_000);
  return {
    dir,
    env,
    port,
    url: (query) => `http://127.0.0.1:${port}/?${new URLSearchParams(query)}`,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        const gone = new Promise((resolve) => server.once('exit', resolve));
        process.kill(-server.pid, 'SIGTERM');
        const kill = setTimeout(() => process.kill(-server.pid, 'SIGKILL'), 5000);
        await gone;
        clearTimeout(kill);
      }
      fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** An agent: each call is a process of its own, in a folder. */
export class Agent {
  constructor(host, folder) {
    this.options = { cwd: folder, env: host.env, encoding: 'utf8' };
  }

  async run(...args) {
    try {
      const { stdout, stderr } = await promisify(execFile)(PENDING_LSP, args, this.options);
      return { code: 0, out: stdout + stderr };
    } catch (error) {
      return { code: error.code, out: `${error.stdout}${error.stderr}` };
    }
  }

  async push(pat, out, ...rest) {
    const pushed = await this.run('edit', '-p', pat, '-r', out, '--push', ...rest);
    if (pushed.code !== 0) {
      throw new Error(pushed.out);
    }
    return /[0-9A-HJKMNP-TV-Z]{26}/.exec(pushed.out)[0];
  }

  /** Resolves when somebody has decided, with what the agent is told; in vain for a minute, with that. */
  verdict(id) {
    return this.run('await', id, '--timeout', '60s');
  }
}

export function folder(files, settingsOfFolder) {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'plw-')));
  for (const [name, text] of Object.entries({ ...files, ...(settingsOfFolder ? { '.vscode/settings.json': JSON.stringify(settingsOfFolder) } : {}) })) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

export async function until(check, what, timeout = 30_000) {
  const end = Date.now() + timeout;
  for (let last; ; ) {
    try {
      if (await check()) {
        return;
      }
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${timeout / 1000} s for ${what}`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
