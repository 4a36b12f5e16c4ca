// The program behind every agent of these tests. It speaks the format its command line asks for and does what the
// test's function says. argv: <tool> <bin folder> <arguments…>
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [tool, bin, ...argv] = process.argv.slice(2);
const home = process.env.HOME;
const structured = tool !== 'plain';

const { default: script } = await import(path.join(bin, 'agent.mjs'));
const unread = fs.existsSync(path.join(bin, 'prompt-unread'));
const prompt = unread ? '' : fs.readFileSync(0, 'utf8');
const register = path.join(bin, 'calls.jsonl');
const call = fs.existsSync(register) ? fs.readFileSync(register, 'utf8').split('\n').length : 1;
const { pid, env } = process;
fs.appendFileSync(
  register,
  `${JSON.stringify({ tool, argv, prompt, at: Date.now(), pid, cwd: process.cwd(), env })}\n`,
);

const session_id = `00000000-0000-4000-8000-${String(call).padStart(12, '0')}`;
const end = { text: '', cost: 0.01, failed: false, muted: false, subtype: 'success', denials: [] };
const put = (data) => process.stdout.write(data);
const line = (event) => put(`${JSON.stringify({ ...event, session_id })}\n`);
const message = (role, part) =>
  structured && line({ type: role, message: { id: `m${call}`, role, content: [part] }, parent_tool_use_id: null });
const edit = (id, change, file) => {
  const prd = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const story of prd.userStories) if (story.id === id) change(story);
  fs.writeFileSync(file, `${JSON.stringify(prd, null, 2)}\n`);
};

const context = {
  call,
  tool,
  argv,
  prompt,
  env,
  home,
  story: env.RALPH_STORY_ID,
  sentinel: '<promise>COMPLETE</promise>',
  say(text) {
    end.text = text;
    if (structured) message('assistant', { type: 'text', text });
    else put(`${text}\n`);
  },
  think: (text) => message('assistant', { type: 'thinking', thinking: text }),
  use(name, input, result) {
    message('assistant', { type: 'tool_use', id: `t${call}`, name, input });
    if (result !== undefined) message('user', { type: 'tool_result', tool_use_id: `t${call}`, content: result });
  },
  denied(name, input) {
    end.denials.push({ tool_name: name, tool_use_id: `t${call}`, tool_input: input });
    context.use(name, input, `Claude requested permissions to use ${name}, but you haven't granted it yet.`);
  },
  raw: put,
  err: (text) => process.stderr.write(text),
  cost(usd) {
    end.cost = usd;
  },
  crash(text) {
    Object.assign(end, { failed: true, subtype: 'error_during_execution', text });
  },
  mute() {
    end.muted = true;
  },
  result() {
    if (end.muted || !structured) return;
    line({
      type: 'result',
      subtype: end.subtype,
      is_error: end.failed,
      duration_ms: 10,
      num_turns: 1,
      result: end.text,
      total_cost_usd: end.cost,
      usage: { input_tokens: 1000, output_tokens: 50 },
      permission_denials: end.denials,
    });
    end.muted = true;
  },
  /** An error of the provider, as the real one reports it: a made-up message, then a failed result named a success. */
  apiError(text, { error = 'unknown', status = null, code, exit = 1 } = {}) {
    const more = { api_error_status: status, ...(code && { api_error: code }) };
    line({
      type: 'assistant',
      message: { id: 'e', model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] },
      error,
      is_api_error_message: true,
      ...more,
    });
    line({
      type: 'result',
      subtype: 'success',
      is_error: true,
      result: text,
      terminal_reason: 'api_error',
      num_turns: 1,
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      permission_denials: [],
      ...more,
    });
    end.muted = true;
    return exit;
  },
  /** A usage limit that resets at that time (seconds since 1970). */
  limit(resetsAt) {
    line({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' } });
    return context.apiError("You've hit your limit", { error: 'rate_limit', status: 429, code: 'usage_limit_reached' });
  },
  read: (file) => fs.readFileSync(file, 'utf8'),
  exists: (file) => fs.existsSync(file),
  write(file, data) {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    fs.writeFileSync(file, data);
  },
  append: (file, data) => fs.appendFileSync(file, data),
  remove: (file) => fs.rmSync(file, { recursive: true, force: true }),
  tick: (id, value = true, file = 'prd.json') =>
    edit(
      id,
      (story) => {
        story.passes = value;
      },
      file,
    ),
  note: (id, text, file = 'prd.json') =>
    edit(
      id,
      (story) => {
        story.notes = text;
      },
      file,
    ),
  log: (text, file = 'progress.txt') => fs.appendFileSync(file, `\n## by the agent\n- ${text}\n---\n`),
  /** A good iteration: a file of the story, an entry in the log, the tick. */
  solve(id = context.story) {
    context.write(`src/${id}.txt`, `${id} in call ${call}\n`);
    context.log(`solved ${id}`);
    context.tick(id);
    context.say(`${id} is done.`);
  },
  git(...args) {
    const done = spawnSync('git', args, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
    return done.stdout.trim();
  },
  commit(subject) {
    context.git('add', '--all');
    context.git('commit', '--quiet', '--message', subject);
  },
  sh: (command) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout,
  /** Starts a command that outlives the agent; returns its pid. */
  leave(command, { detached = false, holds = false } = {}) {
    const child = spawn('sh', ['-c', command], { detached, stdio: ['ignore', holds ? 'inherit' : 'ignore', 'ignore'] });
    child.unref();
    return child.pid;
  },
  deaf() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  },
  /** Tells the test something: a file in the home folder. */
  mark: (name, text = String(pid)) => fs.writeFileSync(path.join(home, name), text),
  pause: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
  stay: () =>
    new Promise(() => {
      setInterval(() => {}, 1 << 30);
    }),
  async until(name) {
    while (!fs.existsSync(path.join(home, name))) await context.pause(20);
  },
};

if (structured && !fs.existsSync(path.join(bin, 'bare'))) {
  line({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: ['Bash', 'Edit'],
    mcp_servers: [],
    model: 'scripted',
  });
}
const code = await script(context);
context.result();
process.stdout.write('', () => process.exit(code ?? 0));
