// Builds dist/: the program with all it is made of in a few files, since a start of Node that reads hundreds of them takes
// twice as long. The sources of others keep their licences: dist/THIRD-PARTY-NOTICES.txt.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const { output } = await build({
  input: path.join(root, 'src/main.ts'),
  platform: 'node',
  cwd: root,
  // No comments with the paths of the files that a part comes from.
  experimental: { attachDebugInfo: 'none' },
  output: {
    dir: dist,
    format: 'esm',
    chunkFileNames: '[name].js',
    // What `--version` needs is one file beside main.js: each more takes a millisecond of every start.
    codeSplitting: { groups: [{ name: 'base', test: /src[\\/](errors|exit|package-files)\.ts$/ }] },
  },
});
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(modules));

/** The licence of each package that a module comes from. Throws where one has none: it could not be shipped. */
function noticesOf(ids) {
  const folders = new Set(
    ids.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []),
  );
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
    if (text === '' && typeof license !== 'string') throw new Error(`${folder} has no licence`);
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return notices.toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}
