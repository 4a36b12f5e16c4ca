import { detectNodeGates, nodeFiles } from './detect-node-gates.ts';
import { detectPythonGates, pythonFiles } from './detect-python-gates.ts';
import type { DetectedGate, ProjectFiles } from './project-files.ts';
import type { GateSetting } from './settings.ts';

// In the order in which make looks for them.
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const rustFiles = ['Cargo.toml', 'clippy.toml', '.clippy.toml'];

/** The files that detection wants to see of a folder. */
export const projectFileNames: readonly string[] = [...nodeFiles, ...pythonFiles, ...rustFiles, 'go.mod', ...makefiles];

/**
 * The gates that a project has by its own conventions: those of the start folder, else those of the root of the working
 * tree. Pure: nothing is run. Gates are run in the start folder, so a command found at the root must work from there.
 */
export function detectGates(start: ProjectFiles, root: ProjectFiles): GateSetting[] {
  const here = detectIn(start, root, 'make');
  // npm, cargo, go and pytest look for their files in the folders above; make doesn't.
  const gates =
    here.length > 0 || start === root ? here : detectIn(root, root, 'make -C "$(git rev-parse --show-toplevel)"');
  return gates.map(({ name, run }) => ({ name, run, timeout: undefined }));
}

/** Make targets count only where nothing else was found: beside other tools they mostly wrap them. */
function detectIn(files: ProjectFiles, root: ProjectFiles, make: string): DetectedGate[] {
  const gates = [
    ...detectNodeGates(files, root),
    ...detectRustGates(files),
    ...detectGoGates(files),
    ...detectPythonGates(files),
  ];
  return gates.length > 0 ? gates : detectMakeGates(files, make);
}

function detectRustGates(files: ProjectFiles): DetectedGate[] {
  const manifest = files.get('Cargo.toml');
  if (manifest === undefined) return [];
  const hasClippy =
    files.has('clippy.toml') || files.has('.clippy.toml') || /^\s*\[(?:workspace\.)?lints\.clippy\]/m.test(manifest);
  return [
    { name: 'cargo-check', run: 'cargo check' },
    ...(hasClippy ? [{ name: 'cargo-clippy', run: 'cargo clippy' }] : []),
    { name: 'cargo-test', run: 'cargo test' },
  ];
}

function detectGoGates(files: ProjectFiles): DetectedGate[] {
  if (!files.has('go.mod')) return [];
  return [
    { name: 'go-vet', run: 'go vet ./...' },
    { name: 'go-test', run: 'go test ./...' },
  ];
}

function detectMakeGates(files: ProjectFiles, make: string): DetectedGate[] {
  const text = makefiles.map((name) => files.get(name)).find((found) => found !== undefined) ?? '';
  // `check:` and `check test: deps`, but neither `check := 1` nor a recipe line.
  const rules = text.matchAll(/^([^\s#:=][^#:=\n]*):{1,2}(?![:=])/gm);
  const targets = new Set([...rules].flatMap(([, names = '']) => names.trim().split(/\s+/)));
  return ['check', 'lint', 'test']
    .filter((name) => targets.has(name))
    .map((name) => ({ name, run: `${make} ${name}` }));
}
