import * as v from 'valibot'
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
const on = ['1', 'true', 'yes', 'on']
const off = ['0', 'false', 'no', 'off']
/** A word that is neither stops the boot: a lock that somebody meant to close must not stay open. */
const flag = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.picklist([...on, ...off], `must be one of ${[...on, ...off].join(', ')}`),
  v.transform((word) => on.includes(word)),
)

export const DemoVariables = v.object({
  DEMO_MODE: v.optional(flag, 'off'),
  DEMO_ALLOWED_OPS: v.optional(names, 'update_props'),
  DEMO_ALLOWED_BLOCK_TYPES: v.optional(names, 'Hero'),
  DEMO_RATE_LIMIT_PER_IP_PER_HOUR: v.optional(positive, '20'),
  TRUST_PROXY: v.optional(TrustedProxies),
})
export type DemoVariables = v.InferOutput<typeof DemoVariables>
