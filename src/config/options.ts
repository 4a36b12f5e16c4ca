import { fileRows, settingRows } from './option-rows.ts';
import type { ValueRow } from './row-types.ts';

export type OptionKey = (typeof settingRows)[number]['key'];
export type FileKey = OptionKey | (typeof fileRows)[number]['key'];

/** Every key that the config file knows. */
export const fileKeys: readonly FileKey[] = [...settingRows, ...fileRows].map((row) => row.key);

/** The rows of the config file, each with its key. */
export const valueRows: readonly (ValueRow & { readonly key: FileKey })[] = [...settingRows, ...fileRows];

/** `RALPH_MAX_STALLS` for `maxStalls`. */
export function variableOf(key: OptionKey): string {
  return `RALPH_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The long name in a commander flags string (`-C, --cwd <dir>` → `--cwd`). */
export function longNameOf(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
