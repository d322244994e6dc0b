/**
 * Patterns of `t.match` that nothing can fail: an empty list in one matches any list, so tests write
 * `emptyList`. Time limits that only a busy machine reaches: in a fast test one is reached on purpose, or ample.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'rolldown/utils'
import t from 'tap'

const tests = fileURLToPath(new URL('..', import.meta.url))

/** A pattern with an empty list has one before the next assertion; most other files are not worth parsing. */
const listAfterMatch = /\bt\.match\((?:(?!\n\s*t\.)[^])*?\[\s*\]/

/** Returns the lines of empty lists in the patterns of a file. */
function emptyListsIn(path: string, text: string): readonly number[] {
  if (!listAfterMatch.test(text)) return []
  const lines: number[] = []
  /** The patterns in which the walk is. */
  const patterns: { readonly start: number; readonly end: number }[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [, pattern] }) {
      const isMatch =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        callee.object.name === 't' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'match'
      if (isMatch && pattern) patterns.push(pattern)
    },
    ArrayExpression({ elements, start, end }) {
      const isIn = patterns.some((pattern) => pattern.start <= start && end <= pattern.end)
      if (elements.length === 0 && isIn) lines.push(text.slice(0, start).split('\n').length)
    },
  })
  visitor.visit(parseSync(path, text).program)
  return lines
}

t.test('no pattern has an empty list, which would match any list', (t) => {
  t.strictSame(emptyListsIn('a.ts', 't.match(a, {\n b: [] })\nt.same(a, [])'), [2])
  const found = globSync('**/*.ts', { cwd: tests }).flatMap((path) =>
    emptyListsIn(path, readFileSync(`${tests}/${path}`, 'utf8')).map((line) => `${path}:${line}`),
  )
  t.strictSame(found, [])
  t.end()
})

t.test('a time limit of a fast test is at most 500 ms, or at least ten seconds', (t) => {
  const limit = /\btimeoutMs:\s*([\d_]+)/g
  const found = globSync('**/*.ts', { cwd: tests, exclude: ['**/*.slow.test.ts'] }).flatMap((path) =>
    [...readFileSync(`${tests}/${path}`, 'utf8').matchAll(limit)]
      .map(([, ms = '']) => Number(ms.replaceAll('_', '')))
      .filter((ms) => ms > 500 && ms < 10_000)
      .map((ms) => `${path}: ${ms}`),
  )
  t.strictSame(found, [])
  t.end()
})
