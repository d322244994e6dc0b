import { slot } from '../../kernel/index.ts'

/** One value, by the labels that its meter has. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Something that `GET /metrics` tells of the service. */
export interface Meter {
  /** In snake_case, such as `orchestrator_streams`; that of a counter ends with `_total`. */
  readonly name: string
  readonly help: string
  /** A counter only grows while the process runs. */
  readonly kind: 'counter' | 'gauge'
  /** What tells its samples apart. A label has few values, all known to the operator: never an id, a text from outside or a secret. */
  readonly labels?: readonly string[]
  /** Asked with every scrape, which waits for it; what it throws is logged, and the meter left out, as is one whose samples are none. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

/** What plugins want `GET /metrics` to tell beside what it counts itself. */
export const meters = slot<Meter>('metrics.meters')
