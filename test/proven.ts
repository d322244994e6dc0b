/**
 * Checks that the tests named in `interface.md` and `security.md` ran and asserted something: the last step of
 * `npm test`, and with `all` of `npm run test:slow`, which alone runs those in `*.slow.test.ts`. With `forget`, the
 * first step: deletes the records of earlier runs. A test that this machine cannot run, and which says why, is listed.
 */
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assertedIn, partOf, provenIn } from './helpers/proofs.ts'

const records = new URL('../.tap/test-results/test/', import.meta.url)
const [task] = process.argv.slice(2)
if (task === 'forget') rmSync(records, { recursive: true, force: true })
else {
  const named = new Set(['interface.md', 'security.md'].flatMap(provenIn).flatMap(({ proofs }) => proofs))
  const meant = [...named].filter((proof) => task === 'all' || !proof.includes('.slow.test.ts: '))
  const asserted = new Map<string, ReadonlySet<string>>()
  const groups = globSync('groups/*.tap', { cwd: fileURLToPath(records) }).map((name) =>
    readFileSync(new URL(name, records), 'utf8'),
  )
  const recordOf = (file: string): string => {
    const own = new URL(`${file}.tap`, records)
    if (existsSync(own)) return readFileSync(own, 'utf8')
    return groups.map((record) => partOf(record, file)).join('')
  }
  const unproven = meant.filter((proof) => {
    const [file = ''] = proof.split(': ', 1)
    if (!asserted.has(file)) asserted.set(file, assertedIn(recordOf(file)))
    return !asserted.get(file)?.has(proof.slice(file.length + 2))
  })
  const { skipped = [], missed = [] } = Object.groupBy(unproven, (proof) => {
    const [file = ''] = proof.split(': ', 1)
    return recordOf(file).includes(` - ${proof.slice(file.length + 2)} # SKIP`) ? 'skipped' : 'missed'
  })
  for (const proof of skipped) console.log(`cannot run here: ${proof}`)
  for (const proof of missed) console.error(`did not run, or asserted nothing: ${proof}`)
  console.log(
    `${meant.length - unproven.length} of ${meant.length} tests named as proofs ran and asserted something`,
  )
  process.exitCode = missed.length > 0 ? 1 : 0
}
