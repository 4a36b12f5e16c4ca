/**
 * The folder name for a branch: without a leading `ralph/`, each run of other characters than letters, digits, `.`, `_` and
 * `-` as one `-`, no leading dot, at most 80 characters; `feature` where nothing is left.
 */
export function slugOf(branch: string): string {
  const slug = branch
    .trim()
    .replace(/^ralph\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^\.+/, '')
    .slice(0, 80);
  return slug === '' ? 'feature' : slug;
}

/** The local date as `YYYY-MM-DD`. */
export function dateOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
