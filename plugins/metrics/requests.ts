import type { AccessEntry, RequestObserver } from '../../kernel/index.ts'
import type { Meter } from './port.ts'

/** The methods that are counted by name; a web request may have any. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** How often one route answered with one status. */
interface Tally {
  readonly method: string
  readonly route: string
  readonly status: number
  count: number
}

/** Takes how long a request took, in seconds. */
export type ObserveDuration = (labels: Pick<Tally, 'method' | 'route'>, seconds: number) => void

/** What is known of the requests of a service. */
export interface RequestCounts {
  readonly observer: RequestObserver
  readonly meters: readonly Meter[]
  /** Durations are told from now on; until then a request costs one counter. */
  tellDurations(observe: ObserveDuration): void
}

/** Counts requests by the pattern of their route; all that lead nowhere are one, so that there are only so many counters. */
export function createRequestCounts(): RequestCounts {
  const tallies = new Map<string, Tally>()
  let open = 0
  let observe: ObserveDuration | undefined

  const end = ({ method: asked, route, status, milliseconds }: AccessEntry): void => {
    open--
    const method = methods.has(asked) ? asked : 'other'
    const key = `${method} ${status} ${route}`
    const tally = tallies.get(key) ?? { method, route, status, count: 0 }
    if (tally.count++ === 0) tallies.set(key, tally)
    observe?.(tally, milliseconds / 1000)
  }
  const watch = { end }

  return {
    observer: {
      begin() {
        open++
        return watch
      },
    },
    meters: [
      {
        name: 'orchestrator_http_requests_total',
        help: 'Requests that were answered, by the pattern of their route.',
        kind: 'counter',
        labels: ['method', 'route', 'status'],
        read: () => [...tallies.values()].map(({ method, route, status, count }) => ({ labels: { method, route, status: String(status) }, value: count })),
      },
      { name: 'orchestrator_http_requests_open', help: 'Requests that wait for their answer.', kind: 'gauge', read: () => [{ value: open }] },
    ],
    tellDurations: (told) => void (observe = told),
  }
}
