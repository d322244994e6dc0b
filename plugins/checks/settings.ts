import * as v from 'valibot'
import { severities, type Rule } from './rule.ts'

const RuleSetting = v.strictObject({
  severity: v.optional(v.picklist(severities)),
  off: v.optional(v.boolean()),
  params: v.optional(v.record(v.string(), v.union([v.number(), v.array(v.string())]))),
})

/** By the id of a rule. */
export type RuleSettings = Readonly<Record<string, v.InferOutput<typeof RuleSetting>>>

export const ChecksVariables = v.object({
  CHECKS_CONFIG: v.pipe(
    v.optional(v.pipe(v.string(), v.parseJson(undefined, 'must be JSON'), v.record(v.string(), RuleSetting)), '{}'),
    v.description('By the id of a rule: `severity`, `off: true`, and `params`, such as `{"seo.title-length":{"params":{"max":65}}}`.'),
  ),
  CHECKS_BLOCK_PUBLISH: v.pipe(v.optional(v.string()), v.description('`1` refuses a publish while the draft has an error that was not dismissed.')),
})

/** The rules that are not off, with their settings. `warn` hears of settings that no rule has, and of values of another type; both are left out. */
export function toActiveRules(rules: readonly Rule[], settings: RuleSettings, warn: (setting: string) => void): readonly Rule[] {
  const known = new Set(rules.map(({ id }) => id))
  for (const id of Object.keys(settings)) if (!known.has(id)) warn(id)
  return rules.flatMap((rule) => {
    const { off, severity = rule.severity, params = {} } = settings[rule.id] ?? {}
    const usable = Object.entries(params).filter(([name, value]) => {
      const own = Object.hasOwn(rule.params, name) && typeof rule.params[name] === typeof value
      if (!own) warn(`${rule.id} params.${name}`)
      return own
    })
    return off ? [] : [{ ...rule, severity, params: { ...rule.params, ...Object.fromEntries(usable) } }]
  })
}
