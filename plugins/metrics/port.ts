import { slot } from '../../kernel/index.ts'

/** One value, by the labels that its meter has. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric of `GET /metrics`. */
export interface Meter {
  /** In snake_case, such as `orchestrator_streams`; the names of counters end with `_total`. */
  readonly name: string
  readonly help: string
  /** A counter only increases while the process runs. */
  readonly kind: 'counter' | 'gauge'
  /** The labels of its samples. A label has few values, all known to the operator: never an id, untrusted text or a secret. */
  readonly labels?: readonly string[]
  /** Called with every scrape, which waits for it. If it throws or returns invalid samples, that is logged and the meter omitted. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

/** Metrics of other plugins in `GET /metrics`. */
export const meters = slot<Meter>('metrics.meters')
