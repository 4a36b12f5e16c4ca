/**
 * What ralph itself costs: `npm run bench [part…]`. Figures depend on the machine, so each comes with the ratio to something
 * bare that ran beside it. `--iterations <n>` is the length of the last part (200; 1000 for a thorough look).
 */
import { spawnSync } from 'node:child_process';
import { bin, createWorld, medianOf, memoryOf, openFilesOf, ownWork, runRalph, timeOf } from './world.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--iterations');
const many = at === -1 ? 200 : Number(args.splice(at, 2)[1]);

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** One line: what was measured, the figure, its target, and the ratio to a bare thing. */
function report(name, value, { unit = 'ms', target, bare, ratioTarget }) {
  const shown = `${name.padEnd(34)} ${value.toFixed(unit === 'ms' ? 0 : 1).padStart(7)} ${unit}`;
  const ratio = bare === undefined ? '' : `  ${(value / bare.value).toFixed(2)} × ${bare.name}`;
  const isMissed =
    value > (target ?? Infinity) || (bare !== undefined && value / bare.value > (ratioTarget ?? Infinity));
  const wanted =
    target !== undefined ? `  (target ${target})` : ratioTarget !== undefined ? `  (target ${ratioTarget} ×)` : '';
  say(`${shown}${ratio}${wanted}${isMissed ? '  MISSED' : ''}`);
}

function startUp() {
  const node = timeOf(process.execPath, ['-e', '0'], 20);
  const version = timeOf(process.execPath, [bin, '--version'], 20);
  report('start-up: ralph --version', version, { bare: { name: 'bare node', value: node }, ratioTarget: 1.6 });
  const help = timeOf(process.execPath, [bin, '--help'], 10);
  report('start-up: ralph --help', help, { bare: { name: 'bare node', value: node } });
}

async function measure(name, options, { iterations = 10, target }) {
  const world = createWorld(options);
  try {
    const { events } = await runRalph(world, [String(iterations), '--max-stalls', '9999', '--gate', 'true']);
    // The first iteration warms the index of ralph's own.
    const own = ownWork(events).slice(1);
    const git = timeOf('git', ['rev-parse', 'HEAD'], 20, { cwd: world.repo });
    report(name, medianOf(own), { target, bare: { name: 'one git call', value: git } });
  } finally {
    world.dispose();
  }
}

async function iteration() {
  await measure('iteration: accepted', {}, { iterations: 20, target: 150 });
  await measure('iteration: nothing done', { agent: 'idles' }, { iterations: 20, target: 150 });
}

async function stories() {
  await measure('iteration: 1,000 stories', { stories: 1000 }, { target: 300 });
}

async function log() {
  await measure('iteration: 1,000 log entries', { entries: 1000 }, { target: 300 });
}

async function files() {
  await measure('iteration: 10,000 files', { files: 10_000 }, { target: 300 });
}

async function growth() {
  const world = createWorld({ stories: 110 });
  try {
    const { events } = await runRalph(world, ['100', '--no-gates']);
    const own = ownWork(events);
    const first = medianOf(own.slice(0, 10));
    report('growth: last 10 of 100', medianOf(own.slice(-10)), {
      bare: { name: 'the first 10', value: first },
      ratioTarget: 1.5,
    });
  } finally {
    world.dispose();
  }
}

const lines = `const line = 'a line of a very long report that nobody reads to its end, number 000000\\n'.repeat(800);
let left = Math.ceil(200e6 / line.length);
(function write() { while (left > 0) { left -= 1; if (!process.stdout.write(line)) return process.stdout.once('drain', write); } })();`;

async function output() {
  const command = [process.execPath, '-e', lines];
  const plainLoop =
    'output=$("$@" 2>&1 | tee /dev/stderr) || true; echo "$output" | grep -q "<promise>COMPLETE</promise>"';
  const startedAt = performance.now();
  spawnSync('bash', ['-c', plainLoop, 'loop', ...command], { stdio: 'ignore' });
  const bash = performance.now() - startedAt;
  const world = createWorld({ agent: command });
  let peak = 0;
  try {
    const { events } = await runRalph(world, ['1', '--no-gates'], (pid) => {
      peak = Math.max(peak, memoryOf(pid, 'VmHWM') ?? 0);
    });
    const { durationMs } = events.find(({ type }) => type === 'agent.finished');
    report('output: 200 MB, time', durationMs, { bare: { name: 'the plain loop in bash', value: bash } });
    report('output: 200 MB, peak memory', peak, { unit: 'MB', target: 150 });
  } finally {
    world.dispose();
  }
}

async function manyIterations() {
  const world = createWorld({ agent: 'idles' });
  const samples = [];
  try {
    const limits = ['--max-stalls', '99999', '--no-gates'];
    const { events } = await runRalph(world, [String(many), ...limits], (pid) => {
      const [memory, open] = [memoryOf(pid, 'VmRSS'), openFilesOf(pid)];
      if (memory !== undefined && open !== undefined) samples.push({ memory, open });
    });
    const tenth = (list) => Math.max(1, Math.floor(list.length / 10));
    // Compiling and a first collection of garbage belong to the start.
    const early = samples.slice(tenth(samples), 2 * tenth(samples));
    const late = samples.slice(-tenth(samples));
    const own = ownWork(events);
    const firstOwn = medianOf(own.slice(0, tenth(own)));
    report(`${many} iterations: time, last tenth`, medianOf(own.slice(-tenth(own))), {
      bare: { name: 'the first tenth', value: firstOwn },
      ratioTarget: 1.5,
    });
    report(`${many} iterations: memory, last tenth`, medianOf(late.map(({ memory }) => memory)), {
      unit: 'MB',
      bare: { name: 'the second tenth', value: medianOf(early.map(({ memory }) => memory)) },
      ratioTarget: 1.3,
    });
    report(`${many} iterations: open files`, medianOf(late.map(({ open }) => open)), {
      unit: 'files',
      bare: { name: 'the second tenth', value: medianOf(early.map(({ open }) => open)) },
      ratioTarget: 1.2,
    });
  } finally {
    world.dispose();
  }
}

const parts = { startUp, iteration, stories, log, files, growth, output, many: manyIterations };
const chosen = args.length === 0 ? Object.keys(parts) : args;
for (const name of chosen) {
  if (parts[name] === undefined) say(`There is no part ${name}: ${Object.keys(parts).join(', ')}`);
  else await parts[name]();
}
