/** What is made of the recorded output of `ralph demo` before it is drawn. Pure. */

const escape = String.fromCodePoint(27);
const codes = new RegExp(String.raw`${escape}\[[0-9;]*m`, 'g');

/** Takes the place of the scratch folder's real path, whatever the temp folder of the recording machine is called. */
const shownFolder = '/tmp/ralph-demo-XXXX';

/**
 * Replaces the scratch folder, which the first line names, by a fixed one, so that the picture holds no path of the machine it
 * was made on. Throws where the output does not begin as the demo's does.
 */
export function hideFolder(output: string): string {
  const folder = /^A scratch repository: (.*)\/project$/m.exec(output)?.[1];
  if (folder === undefined) throw new Error('the output does not name its scratch repository');
  return output.replaceAll(folder, shownFolder);
}

/** Shortens some iterations to their headline and their verdict, and says how many lines were left out. */
export function shortenIterations(output: string, numbers: readonly number[]): string {
  return output
    .split(/(?<=\n)\n/)
    .map((block) => (numbers.some((number) => isIteration(block, number)) ? shorten(block) : block))
    .join('\n');
}

function isIteration(block: string, number: number): boolean {
  return block.replace(codes, '').startsWith(`── ${number}/`);
}

function shorten(block: string): string {
  const [head = '', ...lines] = block.trimEnd().split('\n');
  const last = lines.at(-1);
  if (last === undefined || lines.length < 3) return block;
  return `${head}\n${escape}[2m⋯ ${lines.length - 1} lines${escape}[22m\n${last}\n`;
}
