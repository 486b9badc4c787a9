import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Reports whether one of the folders lies in root, symlinks resolved as the server does. */
export function covers(root: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const inside = path.relative(root, real(folder));
    return inside === '' || (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside));
  });
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
