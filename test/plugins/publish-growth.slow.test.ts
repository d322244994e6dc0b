/** The work of everything that people and sites do, counted without a clock, by the size of the site. */
import { stepsOf } from '../helpers/step-counts.ts'
import t from 'tap'

// Code is counted from here on.
const { dimensions, live } = await import('../helpers/growing-site.ts')

const size = 12
/** From twice as much to four times as much, a line may run this many times as often as before; a quadratic one, four times. */
const most = 3
/** Executions of a line, for each of the things that grow, that are too few to say how they grow. */
const few = 10

/** Operations are limited to 200 a request, each with a budget; `test/bench` has their growth. */
const isOfOperations = (step: string): boolean => step.startsWith('edit')

async function countsOf(name: string, n: number): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const ends: (() => unknown)[] = []
  const dimension = dimensions[name]
  if (!dimension) throw new Error(`no dimension ${name}`)
  await live({ teardown: (end) => void ends.push(end) }, dimension, n, async (step, work) => {
    const steps = await stepsOf(work)
    if (!isOfOperations(step))
      for (const [line, count] of steps) counts.set(line, (counts.get(line) ?? 0) + count)
  })
  for (const end of ends) await end()
  return counts
}

/** The lines that run more often than in proportion to a dimension, with their counts. */
async function steepLines(name: string): Promise<ReadonlyMap<string, string>> {
  const [some, twice, fourTimes] = [
    await countsOf(name, size),
    await countsOf(name, 2 * size),
    await countsOf(name, 4 * size),
  ]
  return new Map(
    [...fourTimes].flatMap(([line, count]) => {
      const before = twice.get(line) ?? 0
      const [first, second] = [before - (some.get(line) ?? 0), count - before]
      const isSteep = second > most * Math.max(first, 0) + few * size
      return isSteep ? [[line, `${some.get(line)}, ${before}, ${count}`] as const] : []
    }),
  )
}

for (const name of Object.keys(dimensions))
  t.test(`${name}: the work of no line of the service is quadratic`, async (t) => {
    let steep = [...(await steepLines(name))]
    // On a busy machine the clock may add a read of all pages. A quadratic line is steep each time.
    for (let left = 3; left > 0 && steep.length > 0; left -= 1) {
      const again = await steepLines(name)
      steep = steep.filter(([line]) => again.has(line))
    }
    t.strictSame(steep, [])
  })
