/** How long pictures take. */
export interface Durations {
  add(milliseconds: number): void
  /** The mean of the last ones. */
  readonly usual: number
}

const remembered = 10
/** Before any has been made. */
const firstGuess = 35_000

export function createDurations(): Durations {
  const last: number[] = []
  return {
    add(milliseconds) {
      last.push(milliseconds)
      if (last.length > remembered) last.shift()
    },
    get usual() {
      return last.length === 0 ? firstGuess : last.reduce((sum, each) => sum + each, 0) / last.length
    },
  }
}
