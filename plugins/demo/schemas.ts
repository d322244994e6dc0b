import * as v from 'valibot'
import { toSwitch } from '../../kernel/index.ts'
import { TrustedProxies } from '../auth/port.ts'

const names = v.pipe(
  v.string(),
  v.transform((list): ReadonlySet<string> => new Set(list.split(/[\s,]+/).filter((name) => name !== ''))),
)
const positive = v.pipe(
  v.string(),
  v.transform(Number),
  v.check((number) => Number.isFinite(number) && number > 0, 'must be a positive number'),
)
/** An invalid value stops the boot, because a lock that should be closed must not stay open. */
const flag = v.pipe(
  v.string(),
  v.transform(toSwitch),
  v.boolean('must be one of 1, true, yes, on, 0, false, no, off'),
)

export const DemoVariables = v.object({
  DEMO_MODE: v.pipe(v.optional(flag, 'off'), v.description('Locks the service for a public demo.')),
  DEMO_ALLOWED_OPS: v.pipe(
    v.optional(names, 'update_props'),
    v.description('The operations that visitors of a demo may use.'),
  ),
  DEMO_ALLOWED_BLOCK_TYPES: v.pipe(
    v.optional(names, 'Hero'),
    v.description('The block types that visitors of a demo may change.'),
  ),
  DEMO_RATE_LIMIT_PER_IP_PER_HOUR: v.pipe(
    v.optional(positive, '20'),
    v.description('The number of chat messages and operations per visitor of a demo and hour.'),
  ),
  TRUST_PROXY: v.optional(TrustedProxies),
})
export type DemoVariables = v.InferOutput<typeof DemoVariables>
