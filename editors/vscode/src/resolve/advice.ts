import type { Decision } from '../server/wire';

export type Step = 'retry' | 'partial' | 'diff' | 'cascade';

/** What may help after a refusal of this kind, best first. */
export function nextSteps(kind: string | undefined, action: Decision): Step[] {
  switch (kind) {
    case 'stale':
      return action === 'apply' ? ['diff', 'retry', 'partial'] : [];
    case 'notTop':
      return ['cascade'];
    case 'editorRejected':
    case 'editorTimeout':
    case 'readOnly':
    case 'writeFailed':
    case 'divergentBuffers':
      return ['diff'];
    default:
      return [];
  }
}
