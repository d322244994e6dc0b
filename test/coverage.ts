/** Compares the coverage of the last test run with the required one; the last step of `npm test`. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

/** Percentage of covered lines; a file counts for its first matching folder. */
const wanted = [
  { folder: 'kernel/', lines: 100 },
  // Property tests generate their cases, so a line may be missed now and then.
  { folder: 'plugins/content/', lines: 99.9 },
  { folder: 'plugins/', lines: 99 },
  { folder: 'config/', lines: 97 },
]

const Count = v.object({ total: v.number(), covered: v.number() })
const Summary = v.record(v.string(), v.object({ lines: Count }))
const root = fileURLToPath(new URL('..', import.meta.url))

const { total: _all, ...files } = v.parse(
  Summary,
  JSON.parse(readFileSync(new URL('../.tap/report/coverage-summary.json', import.meta.url), 'utf8')),
)

/** What only browsers run, which the tests in `bridge` and `studio` do. */
const inBrowsers = /^plugins\/(?:site\/browser\/(?:bridge\/|swap|start)|studio\/app\/)/
const folderOf = (file: string): string | undefined =>
  inBrowsers.test(relative(root, file))
    ? undefined
    : wanted.find(({ folder }) => relative(root, file).startsWith(folder))?.folder
for (const { folder, lines } of wanted) {
  const within = Object.entries(files).filter(([file]) => folderOf(file) === folder)
  const total = within.reduce((sum, [, file]) => sum + file.lines.total, 0)
  const covered = within.reduce((sum, [, file]) => sum + file.lines.covered, 0)
  const share = (100 * covered) / total
  console.log(`${folder} ${share.toFixed(2)} % of ${total} lines (to reach ${lines} %)`)
  if (share >= lines) continue
  for (const [file, count] of within) {
    const missed = count.lines.total - count.lines.covered
    if (missed > 0) console.error(`  ${relative(root, file)}: ${missed} lines that no test reaches`)
  }
  process.exitCode = 1
}
