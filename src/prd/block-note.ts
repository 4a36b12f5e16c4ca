/** Does a story's note say that a person is needed? It then starts with `BLOCKED` or `BLOCKER`. */
export function isBlockNote(notes: string): boolean {
  return /^\s*BLOCK(?:ED|ER)\b/.test(notes);
}
