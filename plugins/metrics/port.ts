import { slot } from '../../kernel/index.ts'

/** A value with the labels of its meter. */
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
  /** The labels of its samples. Label values are few and known: never an id, untrusted text or a secret. */
  readonly labels?: readonly string[]
  /** Called on every scrape, which waits for it. Failures and invalid samples are logged and omitted. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

/** Metrics of other plugins in `GET /metrics`. */
export const meters = slot<Meter>('metrics.meters')
