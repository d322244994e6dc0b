/** How the CPU time of everything that people and sites do grows with a site, and how long it holds the event loop. */
import { dimensions, live, type Dimension } from '../helpers/growing-site.ts'
import { report } from './harness.ts'
import type { Bench } from './run.ts'

/** Twice as much data may take this many times as long. */
const growth = { atMost: 2.5 }
/** Milliseconds of CPU time for which nothing else may wait. */
const piece = { atMost: 200 }
const size = 1_000

/** Operations are limited to 200 a request, each with a budget; the bench `growth` has them. */
const isOfOperations = (step: string): boolean => step.startsWith('edit')

const since = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** CPU milliseconds of all steps, and of the longest turn of the event loop. */
async function costOf(dimension: Dimension, n: number) {
  const ends: (() => unknown)[] = []
  let [total, longest] = [0, 0]
  await live({ teardown: (end) => void ends.push(end) }, dimension, n, async (step, work) => {
    const start = process.threadCpuUsage()
    let turn = start
    const note = (): void => {
      if (!isOfOperations(step)) longest = Math.max(longest, since(turn))
      turn = process.threadCpuUsage()
    }
    let next = setImmediate(function count() {
      note()
      next = setImmediate(count)
    })
    await work()
    clearImmediate(next)
    note()
    if (!isOfOperations(step)) total += since(start)
  })
  for (const end of ends) await end()
  return { total, longest }
}

const siteGrowth: Bench = async () => {
  const verdicts: boolean[] = []
  for (const [name, dimension] of Object.entries(dimensions)) {
    await costOf(dimension, size / 4)
    const [some, twice] = [await costOf(dimension, size), await costOf(dimension, 2 * size)]
    verdicts.push(report(`${name}: 2,000 against 1,000`, [twice.total / some.total], growth))
    verdicts.push(report(`${name}: longest turn at 2,000`, [twice.longest], piece, ' ms'))
  }
  return verdicts.every(Boolean)
}

export const benches = { siteGrowth }
