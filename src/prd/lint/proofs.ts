/** How criteria and commands speak of the usual proofs. */

const typecheck =
  /type-?\s?checks?\b|\btypes?\s+(?:are\s+|is\s+)?(?:check|sound|pass|correct)|\btsc\b|\b(?:vue-tsc|mypy|pyright|basedpyright|pytype|sorbet|flow check|phpstan|psalm|dialyzer|ruff|rubocop|golangci-lint)\b|\btypescript\b[^.]*\b(?:compiles?|errors?|passes)|\bcompil(?:es?|ation|er)\b|\b(?:go vet|go build|cargo check|cargo build|cargo clippy|dotnet build|mvn compile|gradle build|swift build|mix compile)\b|\bbuild (?:passes|succeeds|is green)|\b(?:run )?types\b$|typprüfung|typenprüfung|vérification de types?|comprobación de tipos|型チェック|类型检查|проверка типов/i;

export function provesTypes(text: string): boolean {
  return typecheck.test(text);
}

const look =
  /\bbrowser|\bscreenshot|\b(?:playwright|cypress|puppeteer|storybook|selenium|webdriver|chromatic)\b|\be2e\b|\bend-to-end test|\bdev ?tools\b|\bvisual(?:ly)?\b|\b(?:simulator|emulator)\b|navigateur|navegador|ブラウザ|浏览器|браузер/i;

/** A look at what the user sees, by whatever means. */
export function provesLook(text: string): boolean {
  return look.test(text);
}

const test =
  /\btest(?:s|ed|ing)?\b|\bspecs?\b|\bcoverage\b|\bcovered by\b|\b(?:vitest|jest|mocha|pytest|rspec|junit|phpunit|playwright|cypress)\b|\basserts?\b|\btests?:|\btesten?\b|テスト|测试|тест|\bprueba|\bteste/i;

export function provesLogic(text: string): boolean {
  return test.test(text);
}
