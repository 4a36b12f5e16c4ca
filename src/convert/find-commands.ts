/**
 * Commands in criteria that are clearly meant as a check: code that begins with a known program, in a criterion that says no
 * more than that it passes. What prints, fails, or starts something that does not end by itself is a criterion, and no check.
 */
const programs =
  /^(?:[A-Z_][A-Z0-9_]*=\S*\s+)*(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node|deno|tsc|vue-tsc|vitest|jest|mocha|playwright|cypress|eslint|oxlint|biome|prettier|cargo|go|gofmt|golangci-lint|python3?|pytest|mypy|pyright|ruff|tox|nox|uv|poetry|hatch|pdm|bundle|rake|rails|rspec|rubocop|ruby|mix|mvn|\.\/mvnw|gradle|\.\/gradlew|dotnet|swift|xcodebuild|flutter|dart|composer|php|phpunit|\.\/vendor\/bin\/\S+|vendor\/bin\/\S+|make|just|task|cmake|ctest|bazel|nix|terraform|docker compose|bash|sh|grep|test|jq|diff|shellcheck|curl|git diff|\.\/[\w./-]+|(?:scripts|bin)\/[\w./-]+)(?=\s|$)/;
/** Programs that say something without an argument. */
const alone =
  /^(?:tsc|vue-tsc|vitest|jest|mocha|pytest|mypy|pyright|tox|nox|rspec|rubocop|phpunit|make|just|eslint|oxlint|ctest|rake|\.\/[\w./-]+|(?:scripts|bin)\/[\w./-]+)$/;
const endless =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?:start|dev|serve|watch|preview|storybook)\b|--watch\b(?!=false)|\bwatch\b|\brunserver\b|\bhttp\.server\b|\brails (?:s|server|c|console)\b|\bdocker compose up\b/;
const changes = /\b(?:install|add|ci|remove|uninstall|publish|deploy|push|init|create|migrate|login)\b/;
/** Something that is to be filled in. */
const open = /<[\w -]+>|…|\.\.\.(?!$|\s|\/)|(?<!\/)\.\.\.|\{\{|\bYOUR_|\bxxx\b/i;

/** What may stand in front of "passes". */
const leads = new Set(
  'running run the a an then also and it command commands check checks test tests all unit suite script verify that with verified by typecheck type types lint build pass passes'.split(
    ' ',
  ),
);
const passes =
  /^(?:(?:passes|pass|succeeds|succeed|is green|are green|runs? green|exits? (?:with )?(?:code |status )?(?:0|zero)|returns (?:0|zero)|ends with 0|finishes without errors?|runs? (?:clean|without errors?|successfully)|reports? (?:no|zero|0) (?:errors?|problems?|issues?)|completes (?:successfully|without errors?)|ist grün|läuft durch|läuft ohne fehler|endet mit 0)(?: (?:and|locally|too|as well|in ci|with no errors?|without errors?|with code 0|with exit code 0))*)?$/;

/** Does a text say no more than that something passes? */
function saysPasses(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // "Tests pass: …" and "… passes" are both fine, so each lead is tried with what follows.
  for (let index = 0; index <= words.length; index += 1) {
    if (passes.test(words.slice(index).join(' '))) return true;
    if (!leads.has(words[index] ?? '')) return false;
  }
  return false;
}

/** The commands in a criterion that decide it. `spans` are its code spans, `text` is the whole with its backticks. */
export function findCommands(text: string, spans: readonly string[]): string[] {
  const commands = spans.filter(isCommand);
  if (commands.length === 0 || commands.length !== spans.length) return [];
  const rest = text.replace(/`+[^`]*`+/g, ' ');
  return saysPasses(rest) ? commands : [];
}

/** Could this code be run as it is, and does it end by itself and change nothing? */
export function isCommand(code: string): boolean {
  const command = code.replace(/^\$\s+/, '');
  if (!programs.test(command) || endless.test(command) || changes.test(command) || /[\r\n]/.test(command)) return false;
  return !open.test(command.replace(/\.\/\.\.\.(?=\s|$)/g, '')) && (/\s/.test(command.trim()) || alone.test(command));
}
