import t from 'tap'
import { commitOf, linesOf, PairsRefused, readFigures, refuseMissing, type Pair } from './pairs.ts'

const output = `GET /health, share of bare 0.847/0.865/0.889 n=9  (limit >= 0.7: met)
note without figures
idle memory with 10,000 pages 91.0/92.5/124 MiB n=3
written per edit 1.00e-7/2.50e-7/1.2e+3 n=1  (limit <= 1: MISSED)
`

void t.test('pairs reads the median and the unit of each line of a bench', async (t) => {
  t.strictSame(
    [...readFigures(output)],
    [
      ['GET /health, share of bare', { median: 0.865, unit: '' }],
      ['idle memory with 10,000 pages', { median: 92.5, unit: ' MiB' }],
      ['written per edit', { median: 2.5e-7, unit: '' }],
    ],
  )
})

void t.test('pairs prints the medians with their ranges, and the ratio pair by pair', async (t) => {
  const pairOf = (there: number, here: number): Pair => ({
    there: readFigures(`memory ${there}/${there}/${there} MiB n=1`),
    here: readFigures(`memory ${here}/${here}/${here} MiB n=1`),
  })
  t.strictSame(linesOf([pairOf(10, 5), pairOf(20, 30), pairOf(40, 20)]), [
    'memory: there 20.0 (10.0 to 40.0) MiB, here 20.0 (5.00 to 30.0) MiB, here/there 0.500 (0.500 to 1.50)',
  ])
})

void t.test('pairs says which metric a side lacks', async (t) => {
  const here = readFigures('new 1/1/1 n=1')
  t.strictSame(linesOf([{ there: new Map(), here }]), ['new: not measured there'])
})

void t.test('pairs refuses an unknown commit, and benches that a commit lacks', async (t) => {
  t.match(commitOf('HEAD'), /^[0-9a-f]{40}$/)
  t.throws(
    () => commitOf('--all'),
    new PairsRefused("This repository has no commit '--all'; fetch it first."),
  )
  const answer = "Unknown bench '?'. Available: health, ops."
  t.doesNotThrow(() => refuseMissing(['ops', 'health'], answer, 'abc'))
  t.throws(
    () => refuseMissing(['health', 'words'], answer, 'abc'),
    new PairsRefused("Commit 'abc' has no bench 'words'. It has: health, ops."),
  )
  t.throws(
    () => refuseMissing(['ops'], 'Cannot find module', 'abc'),
    new PairsRefused("Commit 'abc' has no benches that can be run by name."),
  )
})
