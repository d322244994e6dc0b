/**
 * Checks that the tests named in `interface.md` and `security.md` ran and asserted something: the last step of
 * `npm test`, and with `all` of `npm run test:all`, which alone runs those in `*.slow.test.ts`. With `forget`, the
 * first step: deletes the records of earlier runs.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { assertedIn, provenIn } from './helpers/proofs.ts'

const records = new URL('../.tap/test-results/test/', import.meta.url)
const [task] = process.argv.slice(2)
if (task === 'forget') rmSync(records, { recursive: true, force: true })
else {
  const named = new Set(['interface.md', 'security.md'].flatMap(provenIn).flatMap(({ proofs }) => proofs))
  const meant = [...named].filter((proof) => task === 'all' || !proof.includes('.slow.test.ts: '))
  const asserted = new Map<string, ReadonlySet<string>>()
  const missed = meant.filter((proof) => {
    const [file = ''] = proof.split(': ', 1)
    const record = new URL(`${file}.tap`, records)
    if (!asserted.has(file))
      asserted.set(file, assertedIn(existsSync(record) ? readFileSync(record, 'utf8') : ''))
    return !asserted.get(file)?.has(proof.slice(file.length + 2))
  })
  for (const proof of missed) console.error(`did not run, or asserted nothing: ${proof}`)
  console.log(
    `${meant.length - missed.length} of ${meant.length} tests named as proofs ran and asserted something`,
  )
  process.exitCode = missed.length > 0 ? 1 : 0
}
