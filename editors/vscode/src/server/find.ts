// Where the server is: the setting, else the binary in this extension, else PATH.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

export interface Places {
  /** pendingLsp.server.path; empty when not set. */
  setting: string;
  /** The extension's own folder. */
  extension: string;
  /** The environment's PATH. */
  searchPath: string;
  /** Resolves a relative setting, and ${workspaceFolder} in it. */
  folder: string | undefined;
}

export type Found =
  | { from: 'setting' | 'bundle' | 'path'; command: string }
  | { from: 'nowhere'; tried: string[] };

const name = process.platform === 'win32' ? 'pending-lsp.exe' : 'pending-lsp';

export async function findServer(places: Places): Promise<Found> {
  if (places.setting.trim() !== '') {
    const command = expand(places.setting.trim(), places.folder);
    // What the user named and is not there is an error to show, not a reason to run something else.
    return (await executable(command)) ? { from: 'setting', command } : { from: 'nowhere', tried: [command] };
  }
  const bundled = path.join(places.extension, 'bin', name);
  if (await executable(bundled)) {
    return { from: 'bundle', command: bundled };
  }
  for (const folder of places.searchPath.split(path.delimiter)) {
    // A relative PATH entry would let the opened folder choose what runs.
    if (path.isAbsolute(folder) && (await executable(path.join(folder, name)))) {
      return { from: 'path', command: path.join(folder, name) };
    }
  }
  return { from: 'nowhere', tried: [bundled, 'PATH'] };
}

function expand(setting: string, folder: string | undefined): string {
  const home = setting.startsWith('~/') ? path.join(homedir(), setting.slice(2)) : setting;
  const absolute = folder === undefined ? home : home.replaceAll('${workspaceFolder}', folder);
  return path.isAbsolute(absolute) ? absolute : path.resolve(folder ?? homedir(), absolute);
}

async function executable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
