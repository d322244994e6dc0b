import type { AccessEntry, RequestObserver } from '../../kernel/index.ts'
import type { Jobs } from '../jobs/port.ts'
import type { Meter } from './port.ts'

/** The methods with their own labels; a request may use any method. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Tally {
  readonly method: string
  readonly route: string
  readonly status: number
  count: number
}

export type ObserveDuration = (labels: Pick<Tally, 'method' | 'route'>, seconds: number) => void

/** Counts requests by route pattern. Unmatched requests share one counter, which bounds their number. */
export function createRequestCounts(): {
  readonly observer: RequestObserver
  readonly meters: readonly Meter[]
  measureDurations(observer: ObserveDuration): void
} {
  /** Tallies by route, then by method and status combined in a number, which avoids a string per request. */
  const routes = new Map<string, Map<number, Tally>>()
  let open = 0
  let observe: ObserveDuration | undefined

  const tallyOf = ({ method, route, status }: AccessEntry): Tally => {
    const tallies = routes.get(route) ?? new Map<number, Tally>()
    const place = methods.indexOf(method)
    // Seven methods, and one place for all others.
    const key = status * 8 + place
    const existing = tallies.get(key)
    if (existing) return existing
    const tally: Tally = { method: methods[place] ?? 'other', route, status, count: 0 }
    routes.set(route, tallies.set(key, tally))
    return tally
  }

  return {
    observer: {
      begin() {
        open++
        return undefined
      },
      end(entry) {
        open--
        const tally = tallyOf(entry)
        tally.count++
        observe?.(tally, entry.milliseconds / 1000)
      },
    },
    meters: [
      {
        name: 'orchestrator_http_requests_total',
        help: 'Answered requests, by the pattern of their route.',
        kind: 'counter',
        labels: ['method', 'route', 'status'],
        read: () =>
          [...routes.values()]
            .flatMap((tallies) => [...tallies.values()])
            .map(({ method, route, status, count }) => ({
              labels: { method, route, status: String(status) },
              value: count,
            })),
      },
      {
        name: 'orchestrator_http_requests_open',
        help: 'Requests in progress.',
        kind: 'gauge',
        read: () => [{ value: open }],
      },
    ],
    /** Also reports durations from now on. */
    measureDurations: (observer) => void (observe = observer),
  }
}

/**
 * Counts events by a label with few values. Those of `initialValues` are 0 at first: else a first event
 * would be no increase.
 */
export function createEventCounts({
  name,
  help,
  label,
  initialValues = [],
}: {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly initialValues?: readonly string[]
}): { add(value: string): void; readonly meter: Meter } {
  const counts = new Map(initialValues.map((word) => [word, 0]))
  return {
    add: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    meter: {
      name,
      help,
      kind: 'counter',
      labels: [label],
      read: () => [...counts].map(([word, value]) => ({ labels: { [label]: word }, value })),
    },
  }
}

/** Creates the meter of work that waits. */
export const createJobMeter = (jobs: Jobs | undefined): Meter => ({
  name: 'orchestrator_jobs',
  help: 'Work that waits, runs, or has failed and waits for a person, in all processes.',
  kind: 'gauge',
  labels: ['queue', 'state'],
  async read() {
    const counts = (await jobs?.counts()) ?? []
    return counts.flatMap(({ queue, ...states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
    )
  },
})
