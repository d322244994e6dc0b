import { existsSync, readFileSync } from 'node:fs'
import type { Test } from 'tap'

const tests = new URL('../', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, tests), 'utf8')

/** Whether the source of a test file has this title, as a quick check before a run: `npm test` asks what ran. */
function isWritten(file: string, title: string): boolean {
  if (file === '' || !existsSync(new URL(file, tests))) return false
  return read(file)
    .replaceAll(/\\(['`])/g, '$1')
    .includes(title)
}

/** A sentence, and the tests that prove it, each as `file.test.ts: title of the test`. */
export interface Proven {
  readonly sentence: string
  readonly proofs: readonly string[]
}

/** The rows of every table with two columns in a Markdown file of the folder `test`. Throws on a table with any other number. */
export function provenIn(file: string): readonly Proven[] {
  const lines = read(file).split('\n')
  const rows = lines.filter((line, at) => line.startsWith('| ') && !lines[at + 1]?.startsWith('|---'))
  return rows.map((line) => {
    const [sentence = '', proofs = '', ...rest] = line.slice(2, -2).split(' | ')
    if (rest.length > 0) throw new Error(`${file} has a row with more than two columns: ${line}`)
    return { sentence, proofs: proofs.split('<br>') }
  })
}

/** Checks that every row is a sentence, that none is repeated, and that the title of each test is written in its file. */
export function checkProofs(t: Test, rows: readonly Proven[]): void {
  for (const { sentence, proofs } of rows) {
    t.match(sentence, /^[A-Z\d`].*\.$/, 'a sentence')
    for (const proof of proofs) {
      const [, file = '', name = ''] = /^([\w/.-]+\.test\.ts): (.+)$/.exec(proof) ?? []
      t.ok(isWritten(file, name), `'${sentence}' is proven by '${proof}'`)
    }
  }
  const sentences = rows.map(({ sentence }) => sentence)
  t.strictSame(
    sentences.filter((each, at) => sentences.indexOf(each) !== at),
    [],
    'no sentence is repeated',
  )
}

/** The part of a TAP record of a group that is about one of its files; nothing if it has none. */
export function partOf(record: string, file: string): string {
  const start = `# Subtest: ${file}\n`
  const from = `\n${record}`.indexOf(`\n${start}`)
  if (from === -1) return ''
  const part = record.slice(from + start.length)
  return part.slice(0, part.search(/^(?:not )?ok /m))
}

const line = /^( *)(not )?ok \d+ - (.*?)(?: # (time=\S+|SKIP.*|TODO.*))?$/

/** The titles of the tests in a TAP record, nested ones included, that passed with at least one passing assertion. */
export function assertedIn(record: string): ReadonlySet<string> {
  const proven = new Set<string>()
  /** The passing assertions at each depth since the last test of a lower one. */
  const passed: number[] = []
  for (const each of record.split('\n')) {
    const [, indent, failed, title = '', note = ''] = line.exec(each) ?? []
    if (indent === undefined) continue
    const depth = indent.length / 4
    // A test ends after what is inside; a skipped one has a reason instead of a time.
    const isTest = note.startsWith('time=')
    const counts = failed === undefined && (isTest ? (passed[depth + 1] ?? 0) > 0 : note === '')
    passed.length = Math.min(passed.length, depth + 1)
    passed[depth] = (passed[depth] ?? 0) + (counts ? 1 : 0)
    if (isTest && counts) proven.add(title.replaceAll(/\\([#\\])/g, '$1'))
  }
  return proven
}
