import type { Decision } from '../server/wire';

export type Step = 'retry' | 'partial' | 'diff' | 'cascade';

/** What may help after a refusal of this kind, best first; rerun says that a fresh preview was made. */
export function nextSteps(kind: string | undefined, action: Decision, rerun: boolean): Step[] {
  switch (kind) {
    case 'stale':
      if (action === 'discard') {
        return [];
      }
      return rerun ? ['diff', 'retry'] : ['diff', 'partial'];
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
