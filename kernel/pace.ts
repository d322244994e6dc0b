/** The maximum milliseconds for which paced requests, together, hold one turn of the event loop. */
const longestHoldMs = 10

/** The end of the time for paced requests in the current turn; `undefined` before the first of them. */
let turnEnds: number | undefined
const resting: (() => void)[] = []

/** To be awaited between the steps of long work: yields to the event loop once paced requests have held it for 10 ms. */
export function pace(): Promise<void> | undefined {
  const ends = (turnEnds ??= beginTurn())
  return performance.now() < ends ? undefined : new Promise((resolve) => void resting.push(resolve))
}

/** Yields values one by one, as work on each of them is paced: `for await (const page of paced(pages))`. */
export async function* paced<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  for (const value of values) {
    await pace()
    yield value
  }
}

function beginTurn(): number {
  setImmediate(nextTurn)
  return performance.now() + longestHoldMs
}

/** Continues one request a turn: all at once would add up their times. */
function nextTurn(): void {
  const next = resting.shift()
  turnEnds = next && beginTurn()
  next?.()
}
