/**
 * Counts how often each line of the service runs, without a clock. To be imported before that code: of what was compiled
 * before, only calls are counted.
 */
import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Code that is optimized or discarded loses counts.
for (const flag of ['flush-bytecode', 'opt', 'maglev', 'sparkplug']) setFlagsFromString(`--no-${flag}`)
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const rooms = new URL('../../plugins/', import.meta.url).href

const texts = new Map<string, string>()
function textOf(url: string): string {
  const text = texts.get(url) ?? readFileSync(fileURLToPath(url), 'utf8')
  texts.set(url, text)
  return text
}

/** Runs some work, and returns how often each line ran, such as `content/slugs.ts:12`. */
export async function stepsOf(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const steps = new Map<string, number>()
  for (const { url, functions } of result) {
    if (!url.startsWith(rooms)) continue
    const ranges = functions.flatMap((each) => ((each.ranges[0]?.count ?? 0) > 0 ? each.ranges : []))
    if (ranges.length === 0) continue
    const counts = countsByLine(textOf(url), ranges)
    for (const [at, count] of counts.entries()) {
      const line = `${url.slice(rooms.length)}:${at + 1}`
      steps.set(line, Math.max(count, steps.get(line) ?? 0))
    }
  }
  return steps
}

/** Returns how often each line ran: its beginning, or the most frequent part that begins in it. */
function countsByLine(text: string, ranges: readonly Profiler.CoverageRange[]): readonly number[] {
  const inOrder = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const open: Profiler.CoverageRange[] = []
  let [next, start] = [0, 0]
  const upTo = (offset: number): number => {
    let most = 0
    for (let range = inOrder[next]; range && range.startOffset <= offset; range = inOrder[++next]) {
      open.push(range)
      if (range.startOffset >= start) most = Math.max(most, range.count)
    }
    return most
  }
  return text.split('\n').map((line) => {
    const begin = start + line.length - line.trimStart().length
    const before = upTo(begin)
    const current = open.findLast(({ endOffset }) => endOffset > begin)?.count ?? 0
    const count = Math.max(before, current, upTo(start + line.length))
    start += line.length + 1
    return count
  })
}
