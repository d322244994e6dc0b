import t from 'tap'
import { safeEqual } from '../../kernel/safe-equal.ts'

const secret = '0123456789abcdefghijklmnopqrstuv'
/** Wrong in the first character, and in the last. */
const early = `~${secret.slice(1)}`
const late = `${secret.slice(0, -1)}~`
const samples = 100_000

/**
 * Welch's t of the times of two guesses in random order: how surely they differ.
 *
 * The slowest 1 % is ignored, as it comes from garbage collection and the system.
 */
function welch(compare: (given: string, secret: string) => boolean): number {
  const times = [new Float64Array(samples), new Float64Array(samples)] as const
  for (let at = 0; at < samples; at++) {
    const first = Math.random() < 0.5
    for (const which of first ? ([0, 1] as const) : ([1, 0] as const)) {
      const guess = which === 0 ? early : late
      const started = process.hrtime.bigint()
      compare(guess, secret)
      times[which][at] = Number(process.hrtime.bigint() - started)
    }
  }
  const limit =
    Float64Array.from([...times[0], ...times[1]]).sort()[Math.floor(samples * 2 * 0.99)] ?? Infinity
  const [a, b] = times.map((all) => momentsOf(all.filter((each) => each <= limit)))
  if (!a || !b) throw new Error('two guesses are required')
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

function momentsOf(all: Float64Array): {
  readonly count: number
  readonly mean: number
  readonly variance: number
} {
  const mean = all.reduce((sum, each) => sum + each, 0) / all.length
  return {
    count: all.length,
    mean,
    variance: all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (all.length - 1),
  }
}

/** A naive comparison: it stops at the first difference. */
function naive(given: string, wanted: string): boolean {
  for (let at = 0; at < wanted.length; at++) if (given.charCodeAt(at) !== wanted.charCodeAt(at)) return false
  return given.length === wanted.length
}

t.test('the time of a comparison does not reveal how much of a guess is right', async (t) => {
  t.ok(Math.abs(welch(naive)) > 4.5, 'this measurement detects a naive comparison')
  // One in a hundred thousand correct measurements exceeds 4.5; three in a row do not.
  const found = [welch(safeEqual)]
  while (Math.abs(found.at(-1) ?? 0) >= 4.5 && found.length < 3) found.push(welch(safeEqual))
  t.ok(Math.abs(found.at(-1) ?? Infinity) < 4.5, `t = ${found.map((each) => each.toFixed(2)).join(', ')}`)
})
