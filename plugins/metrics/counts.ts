import type { AccessEntry, RequestObserver } from '../../kernel/index.ts'
import type { Meter } from './port.ts'

/** The methods that are counted by name; a web request may have any. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

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
  /** Durations are measured from now on; until then a request costs one counter. */
  measureDurations(observe: ObserveDuration): void
}

/** Counts requests by the pattern of their route; all that lead nowhere are one, so that there are only so many counters. */
export function createRequestCounts(): RequestCounts {
  /** By route, then by method and status in one number: no text is put together for a request. */
  const routes = new Map<string, Map<number, Tally>>()
  let open = 0
  let observe: ObserveDuration | undefined

  const tallyOf = ({ method, route, status }: AccessEntry): Tally => {
    const tallies = routes.get(route) ?? new Map<number, Tally>()
    const place = methods.indexOf(method)
    // Seven methods, and all others as one.
    const key = status * 8 + place
    const known = tallies.get(key)
    if (known) return known
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
        help: 'Requests that were answered, by the pattern of their route.',
        kind: 'counter',
        labels: ['method', 'route', 'status'],
        read: () => [...routes.values()].flatMap((tallies) => [...tallies.values()]).map(({ method, route, status, count }) => ({ labels: { method, route, status: String(status) }, value: count })),
      },
      { name: 'orchestrator_http_requests_open', help: 'Requests that wait for their answer.', kind: 'gauge', read: () => [{ value: open }] },
    ],
    measureDurations: (given) => void (observe = given),
  }
}

/** Counts events by a word that each of them carries, one of few. */
export function createEventCounts({ name, help, label }: { readonly name: string; readonly help: string; readonly label: string }): { add(word: string): void; readonly meter: Meter } {
  const counts = new Map<string, number>()
  return {
    add: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    meter: { name, help, kind: 'counter', labels: [label], read: () => [...counts].map(([word, value]) => ({ labels: { [label]: word }, value })) },
  }
}
