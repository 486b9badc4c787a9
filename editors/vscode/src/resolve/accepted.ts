// Which of a file's hunks a text contains, given the text without any.

export interface Piece {
  id: string;
  start: number;
  end: number;
  after: string;
}

/**
 * Returns the ids of the pieces (in order, not overlapping) that turn before
 * into result, or undefined when no choice of them does. Choices that make the
 * same text are as good as each other.
 */
export function accepted(before: string, pieces: readonly Piece[], result: string): string[] | undefined {
  const dead = new Set<string>();
  const walk = (index: number, from: number, at: number): string[] | undefined => {
    const piece = pieces[index];
    const gap = before.slice(from, piece?.start);
    if (!result.startsWith(gap, at)) {
      return undefined;
    }
    const here = at + gap.length;
    if (!piece) {
      return here === result.length ? [] : undefined;
    }
    const key = `${index} ${here}`;
    if (dead.has(key)) {
      return undefined;
    }
    const original = before.slice(piece.start, piece.end);
    if (result.startsWith(piece.after, here)) {
      const rest = walk(index + 1, piece.end, here + piece.after.length);
      if (rest) {
        return [piece.id, ...rest];
      }
    }
    if (result.startsWith(original, here)) {
      const rest = walk(index + 1, piece.end, here + original.length);
      if (rest) {
        return rest;
      }
    }
    dead.add(key);
    return undefined;
  };
  return walk(0, 0, 0);
}
